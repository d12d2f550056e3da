import type { StartTicketInput, TicketStarted } from '@firmdesk/contract';
import type { z } from 'zod';
import { invalidField } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { addMessage, replaceTags } from './changes/changes.ts';
import { findAssignment } from './changes/edit-ticket.ts';
import { insertTicket } from './insert-ticket.ts';
import { linkFollowUp } from './links/ticket-links.ts';
import { checkMentions, notifyMentioned } from './messages/mentions.ts';
import { authorOf } from './messages/team-messages.ts';
import { findTrader } from './messages/trader-messages.ts';
import { ticketSearchText } from './search/search-text.ts';
import { toTicket } from './ticket-row.ts';
import { lockTicket } from './ticket-state.ts';

/**
 * Opens a ticket for a trader, with a reply to them or a note for the team. The assistant stays off. With a note the ticket awaits the
 * team, which is notified, as are the colleagues whom the note mentions. Throws `validation_failed` for an address, agent or team that is
 * not of the firm, and `resource_not_found` for a ticket to follow that is not.
 */
export async function startTicket(
  ctx: AccountContext,
  input: z.output<typeof StartTicketInput>,
): Promise<z.infer<typeof TicketStarted>> {
  const { to, subject, body, kind, priority } = input;
  const trader = await findTrader(ctx, to);
  if (!trader) throw invalidField('to', 'must be the address of a member of this firm');
  const earlier = input.follows === undefined ? null : await lockTicket(ctx, ctx.workspace.id, input.follows);
  if (earlier && earlier.trader_id !== trader.id)
    throw invalidField('follows', 'must be a ticket of the same trader');
  const assignment = await findAssignment(ctx, { ...input, team: input.team ?? earlier?.team_id ?? null });
  const mentions = await checkMentions(ctx, ctx.workspace.id, input.mentions);
  const content = { ...authorOf(ctx), body, mentions };
  const opened = await insertTicket(ctx, {
    workspaceId: ctx.workspace.id,
    trader,
    subject,
    searchText: ticketSearchText(subject, trader),
    priority,
    slaPolicy: trader.sla_policy,
    automation: trader.automation,
    hasWebhooks: trader.has_webhooks,
    status: 'awaiting_trader',
  });
  if (earlier) await linkFollowUp(ctx, opened, earlier);
  const tagged = earlier?.tags?.length
    ? await replaceTags(ctx, opened, earlier.tags, ctx.identity.user.id)
    : opened;
  const { ticket, message } = await addMessage(
    ctx,
    tagged,
    { ...content, internal: kind === 'note' },
    { ...assignment, status: kind === 'note' ? 'awaiting_admin' : 'awaiting_trader' },
  );
  await notifyMentioned(ctx, ticket, content);
  return { object: 'ticket_started', ticket: toTicket(ctx, ticket), message };
}
