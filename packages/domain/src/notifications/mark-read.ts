import type { MarkReadInput, NotificationsRead } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { belongsTo } from '../access/policy.ts';
import { sqlOf } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import { appendEvents } from '../platform/events/append-events.ts';
import { type CentreContext, countUnread } from './list-notifications.ts';

/**
 * Marks the caller's notifications read: every one that exists when the statement runs, whichever clock dated it, or those
 * named (contract §4.5). An id that is unknown, someone else's, of another environment or read already counts nothing. Raises `nothing_to_mark`.
 */
export async function markRead(
  ctx: CentreContext,
  { ids, all }: z.output<typeof MarkReadInput>,
): Promise<NotificationsRead> {
  const { em, identity, workspace, now } = ctx;
  if (!all && !ids?.length) throw new ApiError('nothing_to_mark');
  const moment = now.toISOString();
  const which = all ? sql`true` : sql`id = any(${ids}::uuid[])`;
  // Locked in one order: two calls that mark the same notifications wait for each other and cannot deadlock.
  const { numAffectedRows } = await sql`
    update notifications set read_at = ${moment}
    where id in (
      select id from notifications
      where workspace_id = ${workspace.id} and user_id = ${identity.user.id} and read_at is null and ${which}
        and ${belongsTo(identity.user.id, workspace.id)}
      order by id
      for update)`.execute(sqlOf(em));
  const marked = Number(numAffectedRows);
  if (marked > 0) {
    const of = { workspaceId: workspace.id, userId: identity.user.id };
    await appendEvents(ctx, [{ ...of, type: 'notifications.read', body: {} }]);
  }
  return {
    object: 'notifications_read',
    marked,
    unread: await countUnread(ctx),
  };
}
