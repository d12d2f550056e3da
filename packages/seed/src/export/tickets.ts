import { htmlOfPlainText } from '@firmdesk/contract';
import type { SeedRecordInput } from '../schema.ts';
import { type ExportContext, groupBy, PAGE, pagesOf } from './context.ts';
import { readTicketParts } from './ticket-parts.ts';

/** The tickets of a page: each has its whole conversation. */
const TICKETS = 50;

export async function* exportTags({
  sql: db,
  workspaceId,
  slug,
}: ExportContext): AsyncGenerator<SeedRecordInput<'tags'>[]> {
  const pages = pagesOf(
    ({ id }) => id,
    (after: number | null) =>
      db
        .selectFrom('tags')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', '>', after ?? 0)
        .orderBy('id')
        .limit(PAGE)
        .execute(),
  );
  for await (const page of pages)
    yield page.map(({ id, name, color, deleted_at }) => ({
      key: String(id),
      id,
      firm: slug,
      name,
      color,
      deleted: deleted_at !== null,
    }));
}

export async function* exportTeams({
  sql: db,
  workspaceId,
  slug,
}: ExportContext): AsyncGenerator<SeedRecordInput<'teams'>[]> {
  const pages = pagesOf(
    ({ id }) => id,
    (after: number | null) =>
      db
        .selectFrom('teams')
        .select(['id', 'name', 'assignment'])
        .where('workspace_id', '=', workspaceId)
        .where('id', '>', after ?? 0)
        .orderBy('id')
        .limit(PAGE)
        .execute(),
  );
  for await (const teams of pages) {
    const members = groupBy(
      await db
        .selectFrom('team_members')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where(
          'team_id',
          'in',
          teams.map(({ id }) => id),
        )
        .orderBy('user_id')
        .execute(),
      ({ team_id }) => team_id,
    );
    yield teams.map(({ id, name, assignment }) => ({
      key: String(id),
      id,
      firm: slug,
      name,
      members: members(id).map(({ user_id }) => user_id),
      assignment,
    }));
  }
}

/** Returns the text of a message with the names of its files, whose contents an import file does not have. */
function textOf({
  body,
  body_html,
  attachments,
}: {
  body: string;
  body_html: string | null;
  attachments: readonly { name: string }[];
}) {
  const files = attachments.map(({ name }) => `[File: ${name}]`);
  return {
    body: [body, ...files].filter(Boolean).join('\n\n'),
    ...(body_html !== null && {
      body_html: [body_html, ...files.map(htmlOfPlainText)].join('<p></p>'),
    }),
  };
}

export async function* exportTickets({
  sql: db,
  workspaceId,
  slug,
}: ExportContext): AsyncGenerator<SeedRecordInput<'tickets'>[]> {
  const pages = pagesOf(
    ({ id }) => id,
    (after: string | null) =>
      db
        .selectFrom('tickets')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', '>', after ?? '')
        .orderBy('id')
        .limit(TICKETS)
        .execute(),
    TICKETS,
  );
  for await (const tickets of pages) {
    const ids = tickets.map(({ id }) => id);
    const messagesOf = groupBy(
      await db
        .selectFrom('ticket_messages')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('ticket_id', 'in', ids)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
      ({ ticket_id }) => ticket_id,
    );
    const tagsOf = groupBy(
      await db
        .selectFrom('ticket_tags')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('ticket_id', 'in', ids)
        .orderBy('tag_id')
        .execute(),
      ({ ticket_id }) => ticket_id,
    );
    const partsOf = await readTicketParts(db, workspaceId, ids);
    yield tickets.map((ticket) => ({
      key: ticket.id,
      id: ticket.id,
      firm: slug,
      trader: ticket.trader_id,
      subject: ticket.subject,
      status: ticket.status,
      priority: ticket.priority,
      ai_enabled: ticket.ai_enabled,
      ai_blocked: ticket.ai_blocked,
      ...(ticket.assignee_id !== null && { assignee: ticket.assignee_id }),
      ...(ticket.team_id !== null && { team: String(ticket.team_id) }),
      tags: tagsOf(ticket.id).map(({ tag_id }) => String(tag_id)),
      created_at: ticket.created_at,
      ...(ticket.closed_at !== null && { closed_at: ticket.closed_at }),
      messages: messagesOf(ticket.id).map((message) => ({
        key: message.id,
        id: message.id,
        from: message.from_kind,
        ...(message.author_id !== null && { author: message.author_id }),
        ...textOf(message),
        internal: message.internal,
        ...(message.event !== null && { event: message.event }),
        via_email: message.via_email,
        ...(message.image_url !== null && { image_url: message.image_url }),
        ...(message.image_name !== null && { image_name: message.image_name }),
        ...(message.read_at !== null && { read_at: message.read_at }),
        created_at: message.created_at,
      })),
      ...partsOf(ticket.id),
    }));
  }
}
