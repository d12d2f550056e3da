import type {
  Attachment,
  CallAssistantInput,
  OpenTicketInput,
  Ticket,
  TraderWriteInput,
  TraderWrote,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { selectAvatar } from '../../access/accounts/avatar.ts';
import type { WorkspaceRef } from '../../access/identity.ts';
import { firmIdOf } from '../../access/policy.ts';
import { getWorkspace } from '../../access/workspaces/workspaces.ts';
import { claimReceivedFiles } from '../../attachments/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { StoredSlaPolicy } from '../../sla/index.ts';
import { hasWebhooks } from '../../webhooks/index.ts';
import type { TicketAutomation } from '../automation/ticket-automation.ts';
import { addMessage } from '../changes/changes.ts';
import { isEnded, statusAfter } from '../changes/status.ts';
import { insertTicket } from '../insert-ticket.ts';
import { linkFollowUp } from '../links/ticket-links.ts';
import { ticketSearchText } from '../search/search-text.ts';
import { toTicket } from '../ticket-row.ts';
import { lockTicketOfTrader, type TicketState } from '../ticket-state.ts';
import { handToAssistant } from './hand-to-assistant.ts';

/** The context of an operation for a trader of a workspace. */
export interface WorkspaceContext extends OperationContext {
  workspace: Pick<WorkspaceRef, 'id'>;
}

interface Trader {
  id: string;
  name: string;
  email: string;
  /** See `selectAvatar`. */
  avatar: string | null;
  /** The SLA policy of the firm, which a new ticket of the trader has. */
  sla_policy: StoredSlaPolicy | null;
  automation: TicketAutomation | null;
  /** Whether the firm has an endpoint to which events are sent. */
  has_webhooks: boolean;
}

/** Stored files that become a part of a trader's message. */
interface WithFiles {
  files?: readonly Attachment[];
}

/** Opens a ticket for a trader. Throws `validation_failed` if no member of the firm has the address. */
export async function openTicket(
  ctx: WorkspaceContext,
  input: z.output<typeof OpenTicketInput> & WithFiles,
): Promise<TraderWrote> {
  const trader = await findTrader(ctx, input.from);
  if (!trader) throw invalidField('from', 'must be the address of a member of this firm');
  return insertWithMessage(ctx, trader, input);
}

/**
 * Adds a trader's message to their ticket, or to the one that it was merged into. If that has ended, opens a new one with the same subject that follows it (G-56). Throws
 * `resource_not_found` for a ticket of another trader.
 */
export async function writeTraderMessage(
  ctx: WorkspaceContext,
  input: z.output<typeof TraderWriteInput> & WithFiles,
): Promise<TraderWrote> {
  let ticket = await lockTicketOfTrader(ctx, ctx.workspace.id, input.ticket, input.from);
  const passed = new Set<string>();
  while (ticket.merged_into !== null && !passed.has(ticket.id)) {
    passed.add(ticket.id);
    ticket = await lockTicketOfTrader(ctx, ctx.workspace.id, ticket.merged_into, input.from);
  }
  if (!isEnded(ticket.status)) return addTraderMessage(ctx, ticket, { ...input, opened: false });
  const { subject, priority } = ticket;
  return insertWithMessage(ctx, traderOf(ticket), { ...input, subject, priority, ai_enabled: true }, ticket);
}

/**
 * Adds a trader's message for the operator, who names the workspace by its slug: to the ticket `ticket`, or to a new one with
 * the subject `open`.
 */
export async function receiveTraderMessage(
  ctx: OperationContext,
  { workspace: slug, ticket, open: subject, ...message }: TraderMessageInput,
): Promise<TraderWrote> {
  const workspace = await getWorkspace(ctx, slug);
  if (ticket !== undefined) return writeTraderMessage({ ...ctx, workspace }, { ...message, ticket });
  return openTicket({ ...ctx, workspace }, { ...message, subject, priority: 'normal', ai_enabled: true });
}

/**
 * Switches the assistant on at the trader's request. Throws `resource_not_found`, `ticket_ended`, and `assistant_unavailable`
 * if the team has blocked it or has answered.
 */
export async function callAssistant(
  ctx: WorkspaceContext,
  input: z.output<typeof CallAssistantInput>,
): Promise<Ticket> {
  const ticket = await lockTicketOfTrader(ctx, ctx.workspace.id, input.ticket, input.from);
  if (isEnded(ticket.status)) throw new ApiError('ticket_ended');
  if (ticket.ai_blocked) {
    throw new ApiError('assistant_unavailable', {
      message: 'The team has blocked the assistant on this ticket.',
    });
  }
  return toTicket(ctx, await handToAssistant(ctx, ticket, ticket.trader_id));
}

type TraderMessageInput = { workspace: string; from: string; body: string; via_email: boolean } & (
  | { ticket: string; open?: undefined }
  | { ticket?: undefined; open: string }
);

type NewTicketInput = Pick<
  z.output<typeof OpenTicketInput>,
  'subject' | 'priority' | 'ai_enabled' | 'body' | 'via_email'
> &
  WithFiles;

/** Inserts a ticket with its first message, which can follow another one. */
async function insertWithMessage(
  ctx: WorkspaceContext,
  trader: Trader,
  input: NewTicketInput,
  earlier: TicketState | null = null,
): Promise<TraderWrote> {
  const ticket = await insertTicket(ctx, {
    workspaceId: ctx.workspace.id,
    trader,
    subject: input.subject,
    searchText: ticketSearchText(input.subject, trader),
    priority: input.priority,
    slaPolicy: trader.sla_policy,
    automation: trader.automation,
    hasWebhooks: trader.has_webhooks,
    status: input.ai_enabled ? 'open' : 'awaiting_admin',
  });
  if (earlier) await linkFollowUp(ctx, ticket, earlier);
  return addTraderMessage(ctx, ticket, { ...input, opened: true });
}

async function addTraderMessage(
  ctx: WorkspaceContext,
  ticket: TicketState,
  { body, via_email, files = [], opened }: { body: string; via_email: boolean; opened: boolean } & WithFiles,
): Promise<TraderWrote> {
  const status = statusAfter(ticket.ai_enabled ? 'asked_assistant' : 'asked_team', ticket.status);
  const { message, ticket: written } = await addMessage(
    ctx,
    ticket,
    {
      from: 'trader',
      authorId: ticket.trader_id,
      author: ticket.trader_name,
      body,
      viaEmail: via_email,
      attachments: files,
    },
    { status },
  );
  await claimReceivedFiles(ctx, { ticket: ticket.id, message: message.id, files });
  await ctx.services.ticketAssistant.answerTrader(ctx, written);
  return { object: 'trader_wrote', opened, ticket: toTicket(ctx, written), message };
}

function traderOf(ticket: TicketState): Trader {
  const {
    trader_id: id,
    trader_name: name,
    trader_email: email,
    trader_avatar: avatar,
    sla_policy,
    automation,
    has_webhooks,
  } = ticket;
  return { id, name, email, avatar, sla_policy, automation, has_webhooks };
}

/** Returns the member of the firm with an address, ignoring case. */
export async function findTrader(
  { db, workspace }: WorkspaceContext,
  email: string,
): Promise<Trader | undefined> {
  const { rows } = await sql<Trader>`
    select u.id, u.name, u.email, ${sql.raw(selectAvatar('u'))} as avatar,
      w.sla_policy, w.ticket_automation as automation,
      ${hasWebhooks(sql`${workspace.id}::integer`)} as has_webhooks
    from users u join memberships m on m.user_id = u.id join workspaces w on w.id = ${workspace.id}
    where lower(u.email) = lower(${email})
    and u.deleted_at is null and m.workspace_id = ${firmIdOf(workspace.id)}`.execute(db);
  return rows[0];
}
