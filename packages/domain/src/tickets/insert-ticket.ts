import type { TicketPriority } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../platform/database/context.ts';
import { executeWrites } from '../platform/database/execute-writes.ts';
import { newId } from '../platform/process/ids.ts';
import { STATE_COLUMNS, type StoredSlaPolicy } from '../sla/index.ts';
import { webhookWrites } from '../webhooks/index.ts';
import type { TicketAutomation } from './automation/ticket-automation.ts';
import { notifyTeam } from './messages/notify-team.ts';
import { TICKET_COLUMNS, toTicket } from './ticket-row.ts';
import type { TicketState } from './ticket-state.ts';

export interface NewTicket {
  workspaceId: number;
  trader: { id: string; name: string; email: string; avatar: string | null };
  subject: string;
  /** See `ticketSearchText`. */
  searchText: string;
  priority: TicketPriority;
  /** Whether the firm has an endpoint to which events are sent. */
  hasWebhooks: boolean;
  /** The SLA policy of the firm. */
  slaPolicy: StoredSlaPolicy | null;
  /** What changes of the firm's tickets start. */
  automation: TicketAutomation | null;
  /** `open`: the assistant answers it. `awaiting_admin`: the team does, and is notified. `awaiting_trader`: the team has opened it. */
  status: 'open' | 'awaiting_admin' | 'awaiting_trader';
}

const RETURNED = sql.raw(
  ['workspace_id', ...TICKET_COLUMNS, 'trader_id', 'assignee_id', 'team_id', ...STATE_COLUMNS].join(', '),
);

/** In a firm with a million tickets, one new id in a thousand has a number that is already taken. */
const MAX_ID_ATTEMPTS = 20;

/** Inserts a ticket. The number at the end of its id is unique in the firm: if it is taken, another id is tried. */
export async function insertTicket(ctx: OperationContext, ticket: NewTicket): Promise<TicketState> {
  const state = await insert(ctx, ticket);
  if (ticket.hasWebhooks) {
    const { id: subject, trader_id: person } = state;
    const created = { type: 'ticket.created', subject, person, data: toTicket(ctx, state) } as const;
    await executeWrites(ctx.db, webhookWrites(ctx, ticket.workspaceId, [created]));
  }
  if (ticket.status === 'awaiting_admin') await notifyTeam(ctx, state);
  return state;
}

async function insert(
  { db, now }: OperationContext,
  {
    workspaceId,
    trader,
    subject,
    searchText,
    priority,
    status,
    slaPolicy,
    automation,
    hasWebhooks,
  }: NewTicket,
): Promise<TicketState> {
  const at = now.toISOString();
  for (let attempt = 0; attempt < MAX_ID_ATTEMPTS; attempt++) {
    const { rows } = await sql<TicketState>`
      insert into tickets (workspace_id, id, trader_id, subject, status, priority, ai_enabled, ai_blocked, unread,
        last_message_at, trader_wrote_at, created_at, search_text)
      values (${workspaceId}, ${newId('ticket', now)}, ${trader.id}, ${subject}, ${status}, ${priority}, ${status === 'open'},
        false, 0, ${at}, ${at}, ${at}, ${searchText})
      on conflict (workspace_id, number) do nothing
      returning ${RETURNED}`.execute(db);
    const [inserted] = rows;
    if (!inserted) continue;
    return {
      ...inserted,
      trader_name: trader.name,
      trader_email: trader.email,
      trader_avatar: trader.avatar,
      trader_deleted: false,
      assignee_name: null,
      assignee_avatar: null,
      team_name: null,
      tags: null,
      last_written_at: null,
      has_drafts: false,
      has_webhooks: hasWebhooks,
      is_by_mail: false,
      pending_runs: [],
      followers: [],
      sla_policy: slaPolicy,
      automation,
    };
  }
  throw new Error(`Found no free ticket number in ${MAX_ID_ATTEMPTS} attempts.`);
}
