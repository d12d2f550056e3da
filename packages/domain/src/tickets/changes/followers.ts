import type { TicketFollowing } from '@firmdesk/contract';
import { sql } from 'kysely';
import { storeNotifications } from '../../notifications/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { ticketPath } from '../ticket-row.ts';
import type { TicketState } from '../ticket-state.ts';
import { TicketFollower } from './ticket-follower.entity.ts';

/** Makes the caller follow a ticket, or not any more. Throws `resource_not_found`. */
export async function setFollowing(
  { em, db, workspace, identity, now }: AccountContext,
  { ticket, following }: { ticket: string; following: boolean },
): Promise<TicketFollowing> {
  // Waits for a merge, which moves the followers.
  const { rows } = await sql`
    select from tickets where workspace_id = ${workspace.id} and id = ${ticket} for share`.execute(db);
  if (rows.length === 0) throw new ApiError('resource_not_found');
  const key = { workspaceId: workspace.id, ticketId: ticket, userId: identity.user.id };
  if (following) await em.upsert(TicketFollower, { ...key, createdAt: now }, { onConflictAction: 'ignore' });
  else await em.nativeDelete(TicketFollower, key);
  return { object: 'ticket_following', ticket_id: ticket, following };
}

/** Makes those who follow a locked ticket follow another locked one instead. */
export async function moveFollowers(
  { db }: OperationContext,
  from: TicketState,
  into: TicketState,
): Promise<void> {
  await sql`
    update ticket_followers set ticket_id = ${into.id}
    where workspace_id = ${from.workspace_id} and ticket_id = ${from.id} and user_id not in (
      select user_id from ticket_followers
      where workspace_id = ${from.workspace_id} and ticket_id = ${into.id})`.execute(db);
  await sql`
    delete from ticket_followers
    where workspace_id = ${from.workspace_id} and ticket_id = ${from.id}`.execute(db);
}

/** Notifies those who follow a ticket of a message of its trader, except those whom the same message notified already. */
export async function notifyFollowers(
  ctx: OperationContext,
  ticket: TicketState,
  notified: readonly string[],
): Promise<void> {
  await storeNotifications(
    ctx,
    {
      workspaceId: ticket.workspace_id,
      kind: 'ticket_awaiting_admin',
      personId: ticket.trader_id,
      title: `wrote in ticket #${ticket.number}`,
      body: ticket.subject,
      actionUrl: ticketPath(ticket.id),
    },
    ticket.followers.filter((id) => !notified.includes(id)),
  );
}
