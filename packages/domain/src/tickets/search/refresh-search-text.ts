import { sql } from 'kysely';
import type { WorkspaceContext } from '../messages/trader-messages.ts';
import { ticketSearchText } from './search-text.ts';

/**
 * Updates the search texts of a trader's tickets in the firm after a change of the trader's name or address. Returns how many
 * tickets the trader has.
 */
export async function refreshTraderSearchText(
  { db, workspace }: WorkspaceContext,
  input: { trader: string },
): Promise<number> {
  const tickets = await db
    .selectFrom('tickets as t')
    .innerJoin('users as u', 'u.id', 't.trader_id')
    .select(['t.id', 't.subject', 'u.name', 'u.email'])
    .where('t.workspace_id', '=', workspace.id)
    .where('t.trader_id', '=', input.trader)
    .orderBy('t.id')
    .forNoKeyUpdate('t')
    .execute();
  const texts = tickets.map(({ id, subject, name, email }) => ({
    id,
    text: ticketSearchText(subject, { name, email }),
  }));
  await sql`
    update tickets t set search_text = n.text, search_pending = true
    from jsonb_to_recordset(${JSON.stringify(texts)}::jsonb) as n(id text, text text)
    where t.workspace_id = ${workspace.id} and t.id = n.id and t.search_text <> n.text`.execute(db);
  return tickets.length;
}
