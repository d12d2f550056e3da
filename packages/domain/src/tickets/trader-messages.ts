import type {
  CallAssistantInput,
  OpenTicketInput,
  Ticket,
  TraderWriteInput,
  TraderWrote,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { WorkspaceRef } from '../access/identity.ts';
import { getWorkspace } from '../access/workspaces.ts';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { ApiError, invalidField } from '../platform/errors.ts';
import { addMessage, insertTicket, lockTicket, type TicketState } from './changes.ts';
import { readTicket } from './get-ticket.ts';
import { handToAssistant } from './hand-to-assistant.ts';
import { ticketSearchText } from './search-text.ts';
import { isEnded, statusAfter } from './status.ts';

/** The context of an operation for a trader of a workspace. */
export interface WorkspaceContext extends OperationContext {
  workspace: Pick<WorkspaceRef, 'id'>;
}

interface Trader {
  id: string;
  name: string;
  email: string;
}

/** Opens a ticket for a trader. Throws `validation_failed` if no member of the firm has the address. */
export async function openTicket(
  ctx: WorkspaceContext,
  input: z.output<typeof OpenTicketInput>,
): Promise<TraderWrote> {
  const trader = await findTrader(ctx, input.from);
  if (!trader) throw invalidField('from', 'must be the address of a member of this firm');
  return insertWithMessage(ctx, trader, input);
}

/**
 * Adds a trader's message to their ticket. If the ticket has ended, opens a new one with the same subject (G-56). Throws
 * `resource_not_found` for a ticket of another trader.
 */
export async function writeTraderMessage(
  ctx: WorkspaceContext,
  input: z.output<typeof TraderWriteInput>,
): Promise<TraderWrote> {
  const { trader, ticket } = await lockOwnTicket(ctx, input);
  if (isEnded(ticket.status)) {
    const { subject, priority } = ticket;
    return insertWithMessage(ctx, trader, { ...input, subject, priority, ai_enabled: true });
  }
  return addTraderMessage(ctx, trader, ticket, { ...input, opened: false });
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
  const { ticket } = await lockOwnTicket(ctx, input);
  if (isEnded(ticket.status)) throw new ApiError('ticket_ended');
  if (ticket.ai_blocked) {
    throw new ApiError('assistant_unavailable', {
      message: 'The team has blocked the assistant on this ticket.',
    });
  }
  await handToAssistant(ctx, ticket);
  return readTicket(ctx, ctx.workspace.id, ticket.id);
}

type TraderMessageInput = { workspace: string; from: string; body: string; via_email: boolean } & (
  | { ticket: string; open?: undefined }
  | { ticket?: undefined; open: string }
);

type NewTicketInput = Pick<
  z.output<typeof OpenTicketInput>,
  'subject' | 'priority' | 'ai_enabled' | 'body' | 'via_email'
>;

/** Inserts a ticket with its first message. */
async function insertWithMessage(
  ctx: WorkspaceContext,
  trader: Trader,
  input: NewTicketInput,
): Promise<TraderWrote> {
  const ticket = await insertTicket(ctx, {
    workspaceId: ctx.workspace.id,
    traderId: trader.id,
    subject: input.subject,
    searchText: ticketSearchText(input.subject, trader),
    status: input.ai_enabled ? 'open' : 'awaiting_admin',
    priority: input.priority,
    aiEnabled: input.ai_enabled,
  });
  return addTraderMessage(ctx, trader, ticket, { ...input, opened: true });
}

async function addTraderMessage(
  ctx: WorkspaceContext,
  trader: Trader,
  ticket: TicketState,
  { body, via_email, opened }: { body: string; via_email: boolean; opened: boolean },
): Promise<TraderWrote> {
  const status = statusAfter(ticket.ai_enabled ? 'asked_assistant' : 'asked_team', ticket.status);
  const { message, ticket: written } = await addMessage(
    ctx,
    ticket,
    { from: 'trader', authorId: trader.id, author: trader.name, body, viaEmail: via_email },
    { status },
  );
  await ctx.services.ticketAssistant.answerTrader(ctx, written);
  return {
    object: 'trader_wrote',
    opened,
    ticket: await readTicket(ctx, ctx.workspace.id, ticket.id),
    message,
  };
}

/** Locks a ticket of the trader with the address `from`. Throws `resource_not_found` for any other ticket. */
async function lockOwnTicket(ctx: WorkspaceContext, input: { ticket: string; from: string }) {
  const trader = await findTrader(ctx, input.from);
  const ticket = await lockTicket(ctx, ctx.workspace.id, input.ticket);
  if (!trader || ticket.trader_id !== trader.id) throw new ApiError('resource_not_found');
  return { trader, ticket };
}

/** Returns the member of the firm with an address, ignoring case. */
async function findTrader({ em, workspace }: WorkspaceContext, email: string): Promise<Trader | undefined> {
  const { rows } = await sql<Trader>`
    select u.id, u.name, u.email from users u join memberships m on m.user_id = u.id
    where lower(u.email) = lower(${email}) and u.deleted_at is null and m.workspace_id = ${workspace.id}`.execute(
    sqlOf(em),
  );
  return rows[0];
}
