import {
  allFirms,
  cleanFormatted,
  deriveAutomation,
  importedState,
  messageSearchText,
  requestDueTimes,
  requestWake,
  ticketSearchText,
} from '@firmdesk/domain/import';
import { sql } from 'kysely';
import { formatPath } from '../problems.ts';
import type { SeedRecord } from '../schema.ts';
import { ticketNumber } from '../unique-keys.ts';
import { type ImportContext, person, timestampOf, workspaceId } from './context.ts';
import { idAt, idsAt, serialIds } from './ids.ts';
import { insertRows } from './insert-rows.ts';
import { writeTicketParts } from './write-ticket-parts.ts';

export async function writeTeams(ctx: ImportContext, teams: readonly SeedRecord<'teams'>[]): Promise<void> {
  const ids = await serialIds(ctx.sql, 'teams', teams);
  const rows = teams.map(({ firm, name, assignment }, i) => ({
    id: ids[i]!,
    workspace_id: workspaceId(ctx, firm),
    name,
    assignment,
    created_at: ctx.now.toISOString(),
  }));
  const members = teams.flatMap(({ members }, i) =>
    members.map((user) => ({
      workspace_id: rows[i]!.workspace_id,
      team_id: ids[i]!,
      user_id: person(ctx, user).id,
    })),
  );
  await insertRows(ctx.sql, 'teams', rows);
  await insertRows(ctx.sql, 'team_members', members);
  const assigning = rows.filter(({ assignment }) => assignment !== 'off');
  for (const firm of new Set(assigning.map(({ workspace_id }) => workspace_id)))
    await deriveAutomation(ctx, firm);
  for (const [i, { key }] of teams.entries()) ctx.idMap.set('teams', key, ids[i]!);
}

type Ticket = SeedRecord<'tickets'>;
type Message = Ticket['messages'][number];

export async function writeTickets(
  ctx: ImportContext,
  tickets: readonly Ticket[],
  first: number,
): Promise<void> {
  const ids = await ticketIds(ctx, tickets);
  const rows = tickets.map((ticket, i) => ticketRow(ctx, ticket, ids[i]!));
  const messages = tickets.flatMap((ticket, i) => messageRows(ctx, ticket, ids[i]!));
  const tags = tickets.flatMap((ticket, i) =>
    ticket.tags.map((key) => ({
      workspace_id: rows[i]!.workspace_id,
      ticket_id: ids[i]!,
      tag_id: ctx.idMap.get('tags', key),
    })),
  );
  await insertRows(ctx.sql, 'tickets', rows);
  await insertRows(ctx.sql, 'ticket_messages', messages);
  await insertRows(ctx.sql, 'ticket_tags', tags);
  await writeTicketParts(
    ctx,
    tickets.map((ticket, i) => ({ ticket, workspace_id: rows[i]!.workspace_id, ticket_id: ids[i]! })),
  );
  for (const { workspace_id, id, snoozed_until } of rows)
    if (snoozed_until !== null) await requestWake(ctx, workspace_id, id, snoozed_until);
  for (const firm of new Set(rows.map(({ workspace_id }) => workspace_id))) await requestDueTimes(ctx, firm);
  for (const [i, { key }] of tickets.entries()) ctx.idMap.set('tickets', key, ids[i]!);
  const moved = tickets.filter(({ status }, i) => status !== rows[i]!.status).length;
  if (moved > 0) {
    const message = `${moved} of the ${tickets.length} tickets from here are "awaiting_admin" or "awaiting_trader" instead of "open", because the assistant does not answer imported tickets.`;
    ctx.idMap.report({ path: formatPath(['tickets', first]), messages: [message] });
  }
}

/** Derives the row of a ticket from its messages (contract §2.5). */
function ticketRow(ctx: ImportContext, ticket: Ticket, id: string) {
  const trader = person(ctx, ticket.trader);
  const createdAt = timestampOf(ctx, ticket.created_at);
  const messages = ticket.messages.map((message) => ({
    ...message,
    at: timestampOf(ctx, message.created_at),
  }));
  const visible = messages.filter(({ internal }) => !internal);
  const last = latest(visible);
  const lastMessageAt = last?.at ?? createdAt;
  const hasEnded = ticket.status === 'resolved' || ticket.status === 'closed';
  return {
    id,
    workspace_id: workspaceId(ctx, ticket.firm),
    trader_id: trader.id,
    subject: ticket.subject,
    ...importedState({ ...ticket, messages }),
    priority: ticket.priority,
    ai_blocked: ticket.ai_blocked,
    assignee_id: ticket.assignee == null ? null : person(ctx, ticket.assignee).id,
    team_id: ticket.team == null ? null : ctx.idMap.get('teams', ticket.team),
    unread: visible.filter(({ from, read_at }) => read_at == null && (from === 'trader' || from === 'ai'))
      .length,
    last_from: last?.from ?? null,
    last_message_at: lastMessageAt,
    trader_wrote_at: latest(visible.filter(({ from }) => from === 'trader'))?.at ?? createdAt,
    created_at: createdAt,
    closed_at: hasEnded ? (timestampOf(ctx, ticket.closed_at) ?? lastMessageAt) : null,
    snoozed_at: timestampOf(ctx, ticket.snooze?.since),
    snoozed_until: timestampOf(ctx, ticket.snooze?.until),
    woken_at: timestampOf(ctx, ticket.woken_at),
    search_text: ticketSearchText(ticket.subject, trader),
  };
}

function messageRows(ctx: ImportContext, ticket: Ticket, ticketId: string) {
  const times = ticket.messages.map(({ created_at }) => timestampOf(ctx, created_at));
  const ids = idsAt('ticketMessage', times);
  return ticket.messages.map((message, i) => {
    const id = message.id ?? ids[i]!;
    if (message.key != null) ctx.idMap.set('ticket_messages', message.key, id);
    const formatted = message.body_html == null ? null : cleanFormatted(message.body_html);
    const body = formatted?.html ? formatted.text : message.body;
    return {
      id,
      ticket_id: ticketId,
      workspace_id: workspaceId(ctx, ticket.firm),
      from_kind: message.from,
      author_id: authorId(ctx, ticket, message),
      author: authorName(ctx, ticket, message),
      body,
      body_html: formatted?.html ?? null,
      image_url: message.image_url ?? null,
      image_name: message.image_name ?? null,
      internal: message.internal,
      streaming: false,
      via_email: message.via_email,
      event: message.event ?? null,
      read_at: timestampOf(ctx, message.read_at),
      macro_ids: message.macros.length > 0 ? message.macros : null,
      article_ids: message.articles.length > 0 ? message.articles : null,
      created_at: times[i]!,
      search_text: messageSearchText(body),
    };
  });
}

function authorId(ctx: ImportContext, ticket: Ticket, { from, author }: Message): string | null {
  if (author != null) return person(ctx, author).id;
  return from === 'trader' ? person(ctx, ticket.trader).id : null;
}

/** Returns the author's name as the conversation shows it. */
function authorName(ctx: ImportContext, ticket: Ticket, { from, author }: Message): string {
  if (author != null) return person(ctx, author).name;
  if (from === 'trader') return person(ctx, ticket.trader).name;
  return { admin: 'Support', ai: 'Assistant', system: 'System' }[from];
}

/** Returns the latest message; of several with the same time, the last in the file. */
function latest<T extends { at: string }>(messages: readonly T[]): T | undefined {
  return messages.reduce<T | undefined>(
    (last, message) => (last && last.at > message.at ? last : message),
    undefined,
  );
}

/**
 * Returns the id of each ticket. The number (the last six characters of the id) is unique in its firm. A new id whose
 * number is taken is generated again: among 40,000 random ids, two are likely to have the same number.
 */
async function ticketIds(ctx: ImportContext, tickets: readonly Ticket[]): Promise<string[]> {
  const times = tickets.map(({ created_at }) => timestampOf(ctx, created_at));
  const ids = idsAt('ticket', times);
  const taken = new Set<string>();
  let open = [...tickets.keys()].filter((i) => tickets[i]!.id == null);
  while (open.length > 0) {
    const numbers = open.map((i) => ticketNumber(tickets[i]!.firm, ids[i]!));
    const inDatabase = await findNumbers(
      ctx,
      open.map((i) => tickets[i]!.firm),
      numbers,
    );
    open = open.filter((i, n) => {
      const { kind, value } = numbers[n]!;
      if (!taken.has(kind + value) && !inDatabase.has(n) && !ctx.index.has({ kind, value })) {
        taken.add(kind + value);
        return false;
      }
      ids[i] = idAt('ticket', times[i]!);
      return true;
    });
  }
  return tickets.map(({ id }, i) => id ?? ids[i]!);
}

/** Returns which of the numbers already exist in their firm. */
async function findNumbers(
  ctx: ImportContext,
  firms: readonly string[],
  numbers: readonly { value: string }[],
): Promise<Set<number>> {
  const sought = numbers.map(({ value }, n) => ({
    n,
    number: value,
    workspace_id: workspaceId(ctx, firms[n]!),
  }));
  const { rows } = await sql<{ n: number }>`${sql.raw(allFirms('import'))}
    select s.n from json_to_recordset(${JSON.stringify(sought)}::json) as s(n integer, number text, workspace_id integer)
    join tickets t on t.workspace_id = s.workspace_id and t.number = s.number`.execute(ctx.sql);
  return new Set(rows.map(({ n }) => n));
}
