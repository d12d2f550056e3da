import type { MarkReadInput, NotificationsRead } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { isVisibleTo } from '../access/visible-kinds.ts';
import { appendEvents } from '../platform/events/append-events.ts';
import { ApiError } from '../platform/process/errors.ts';
import { countUnreadNotifications } from './count-unread-notifications.ts';
import type { NotificationCentreContext } from './list-notifications.ts';
import { readEvent } from './notification-events.ts';

/**
 * Marks the caller's notifications read: those with the given ids, or all that exist when the statement runs (contract §4.5).
 * Ignores ids that are unknown, belong to another account or workspace, are of a kind that the caller may not see, or are already read. Throws `nothing_to_mark`.
 */
export async function markRead(
  ctx: NotificationCentreContext,
  { ids, all }: z.output<typeof MarkReadInput>,
): Promise<NotificationsRead> {
  const { db, identity, workspace, now } = ctx;
  if (!all && !ids?.length) throw new ApiError('nothing_to_mark');
  const moment = now.toISOString();
  const selected = all ? sql`true` : sql`id = any(${ids}::uuid[])`;
  // Rows are locked in the order of their ids, so that concurrent calls cannot deadlock.
  const { numAffectedRows } = await sql`
    update notifications set read_at = ${moment}
    where workspace_id = ${workspace.id} and id in (
      select id from notifications
      where workspace_id = ${workspace.id} and user_id = ${identity.user.id} and read_at is null and ${selected}
        and ${isVisibleTo(identity.user.id, workspace.id)}
      order by id
      for update)`.execute(db);
  const marked = Number(numAffectedRows);
  if (marked > 0) await appendEvents(ctx, workspace.id, [readEvent(identity.user.id)]);
  return {
    object: 'notifications_read',
    marked,
    unread: await countUnreadNotifications(ctx),
  };
}
