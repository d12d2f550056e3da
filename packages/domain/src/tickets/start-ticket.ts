import type { StartTicketInput, TicketStarted } from '@firmdesk/contract';
import type { z } from 'zod';
import { invalidField } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { addMessage } from './changes/changes.ts';
import { findAssignment } from './changes/edit-ticket.ts';
import { insertTicket } from './insert-ticket.ts';
import { checkMentions, notifyMentioned } from './messages/mentions.ts';
import { authorOf } from './messages/team-messages.ts';
import { findTrader } from './messages/trader-messages.ts';
import { ticketSearchText } from './search/search-text.ts';
import { toTicket } from './ticket-row.ts';

/**
 * Opens a ticket for a trader, with a reply to them or a note for the team. The assistant stays off. With a note the ticket awaits the
 * team, which is notified, as are the colleagues whom the note mentions. Throws `validation_failed` for an address, agent or team that is
 * not of the firm.
 */
export async function startTicket(
  ctx: AccountContext,
  input: z.output<typeof StartTicketInput>,
): Promise<z.infer<typeof TicketStarted>> {
  const { to, subject, body, kind, priority } = input;
  const trader = await findTrader(ctx, to);
  if (!trader) throw invalidField('to', 'must be the address of a member of this firm');
  const assignment = await findAssignment(ctx, input);
  const mentions = await checkMentions(ctx, ctx.workspace.id, input.mentions);
  const content = { ...authorOf(ctx), body, mentions };
  const opened = await insertTicket(ctx, {
    workspaceId: ctx.workspace.id,
    trader,
    subject,
    searchText: ticketSearchText(subject, trader),
    priority,
    slaPolicy: trader.sla_policy,
    status: 'awaiting_trader',
  });
  const { ticket, message } = await addMessage(
    ctx,
    opened,
    { ...content, internal: kind === 'note' },
    { ...assignment, status: kind === 'note' ? 'awaiting_admin' : 'awaiting_trader' },
  );
  await notifyMentioned(ctx, ticket, content);
  return { object: 'ticket_started', ticket: toTicket(ctx, ticket), message };
}
