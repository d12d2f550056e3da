import { sql } from 'kysely';
import { firmIdOf, IS_AGENT } from '../../access/policy.ts';
import { storeNotifications } from '../../notifications/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { invalidField } from '../../platform/process/errors.ts';
import { ticketPath } from '../ticket-row.ts';
import type { Conversation } from '../ticket-state.ts';

/** The part of a note that the notification of a mention contains, in code points. */
const MAX_EXCERPT = 200;

/** Returns the ids of mentioned agents, each once. Throws `validation_failed` for an account that may not see the firm's tickets. */
export async function checkMentions(
  { db }: OperationContext,
  workspaceId: number,
  mentions: readonly string[],
): Promise<string[]> {
  if (mentions.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select u.id from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${firmIdOf(workspaceId)}
    and m.user_id = any(${mentions}::text[]) and ${sql.raw(IS_AGENT)}`.execute(db);
  const agents = new Set(rows.map(({ id }) => id));
  const unknown = mentions.findIndex((id) => !agents.has(id));
  if (unknown >= 0) throw invalidField(`mentions[${unknown}]`, 'must be the id of an agent of this firm');
  return [...agents];
}

/** Notifies the colleagues whom a note mentions. The contract has no kind for that (contract §6.1). */
export async function notifyMentioned(
  ctx: OperationContext,
  ticket: Conversation,
  note: { authorId: string; author: string; body: string; mentions: readonly string[] },
): Promise<void> {
  const recipients = note.mentions.filter((id) => id !== note.authorId);
  if (recipients.length === 0) return;
  const text = [...note.body];
  await storeNotifications(
    ctx,
    {
      workspaceId: ticket.workspace_id,
      kind: 'ticket_awaiting_admin',
      reason: 'mention',
      personId: note.authorId,
      title: `mentioned you in ticket #${ticket.number}`,
      body: text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT - 1).join('')}…` : note.body,
      actionUrl: ticketPath(ticket.id),
    },
    recipients,
  );
}
