import type { NotificationKind } from '@firmdesk/contract';
import { isVisibleTo, visibleKinds } from '../access/visible-kinds.ts';
import type { NotificationCentreContext } from './list-notifications.ts';

/** What an account may see in its notification centre. */
export interface Unread {
  /** The kinds that it may see; none if it no longer belongs to the workspace. */
  kinds: readonly NotificationKind[];
  /** The number of unread notifications of these kinds. */
  unread: number;
}

/** Reads what the caller may see in the workspace, and counts what of it is unread. */
export async function readUnread({ db, identity, workspace }: NotificationCentreContext): Promise<Unread> {
  const { kinds, unread } = await db
    .selectFrom('notifications')
    .select(({ fn }) => fn.countAll<number>().as('unread'))
    .select(visibleKinds(identity.user.id, workspace.id).as('kinds'))
    .where('workspace_id', '=', workspace.id)
    .where('user_id', '=', identity.user.id)
    .where('read_at', 'is', null)
    .where(isVisibleTo(identity.user.id, workspace.id))
    .executeTakeFirstOrThrow();
  return { kinds: kinds ?? [], unread: Number(unread) };
}

/** Counts the caller's unread notifications in the workspace, of the kinds that the caller may see. */
export async function countUnreadNotifications(ctx: NotificationCentreContext): Promise<number> {
  return (await readUnread(ctx)).unread;
}
