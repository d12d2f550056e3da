import { htmlOfPlainText } from '@firmdesk/contract';
import type { SeedRecordInput } from '../schema.ts';
import { type ExportContext, pagesOfTable, rowsBy } from './context.ts';
import { readTicketParts } from './ticket-parts.ts';

/** The tickets of a page: each has its whole conversation. */
const TICKETS = 50;

export async function* exportTags(ctx: ExportContext): AsyncGenerator<SeedRecordInput<'tags'>[]> {
  for await (const page of pagesOfTable(ctx, 'tags'))
    yield page.map(({ id, name, color, deleted_at }) => ({
      key: String(id),
      id,
      firm: ctx.slug,
      name,
      color,
      deleted: deleted_at !== null,
    }));
}

export async function* exportTeams(ctx: ExportContext): AsyncGenerator<SeedRecordInput<'teams'>[]> {
  for await (const teams of pagesOfTable(ctx, 'teams')) {
    const ids = teams.map(({ id }) => id);
    const members = await rowsBy(ctx, 'team_members', 'team_id', ids, ['user_id']);
    yield teams.map(({ id, name, assignment }) => ({
      key: String(id),
      id,
      firm: ctx.slug,
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

export async function* exportTickets(ctx: ExportContext): AsyncGenerator<SeedRecordInput<'tickets'>[]> {
  for await (const tickets of pagesOfTable(ctx, 'tickets', TICKETS)) {
    const ids = tickets.map(({ id }) => id);
    const messagesOf = await rowsBy(ctx, 'ticket_messages', 'ticket_id', ids, ['created_at', 'id']);
    const tagsOf = await rowsBy(ctx, 'ticket_tags', 'ticket_id', ids, ['tag_id']);
    const partsOf = await readTicketParts(ctx, ids);
    yield tickets.map((ticket) => ({
      key: ticket.id,
      id: ticket.id,
      firm: ctx.slug,
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
      ...(ticket.snoozed_at !== null && {
        snooze: { since: ticket.snoozed_at, until: ticket.snoozed_until },
      }),
      ...(ticket.woken_at !== null && { woken_at: ticket.woken_at }),
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
        ...(message.macro_ids !== null && { macros: message.macro_ids }),
        ...(message.article_ids !== null && { articles: message.article_ids }),
        created_at: message.created_at,
      })),
      ...partsOf(ticket.id),
    }));
  }
}
