import { belongsTo } from '../access/policy.ts';
import { sqlOf } from '../platform/database.ts';
import type { NotificationCentreContext } from './list-notifications.ts';

/** Counts the caller's unread notifications in the workspace: 0 if the caller no longer belongs to it. */
export async function countUnreadNotifications({
  em,
  identity,
  workspace,
}: NotificationCentreContext): Promise<number> {
  const { unread } = await sqlOf(em)
    .selectFrom('notifications')
    .select(({ fn }) => fn.countAll<number>().as('unread'))
    .where('workspace_id', '=', workspace.id)
    .where('user_id', '=', identity.user.id)
    .where('read_at', 'is', null)
    .where(belongsTo(identity.user.id, workspace.id))
    .executeTakeFirstOrThrow();
  return Number(unread);
}
