import type { ListNotificationsInput, Notification, PageMeta } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { isVisibleTo } from '../access/visible-kinds.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { ApiError } from '../platform/process/errors.ts';
import { NOTIFICATION_TITLE } from '../push/index.ts';

/** The context of an operation on the notification centre of an account in a workspace. */
export interface NotificationCentreContext extends OperationContext {
  identity: { user: { id: string } };
  workspace: { id: number };
}

/** The columns of a notification that responses contain, beside its title. */
const COLUMNS = ['id', 'kind', 'reason', 'body', 'action_url', 'created_at', 'read_at'] as const;

interface Page {
  data: Notification[];
  meta: z.infer<typeof PageMeta>;
}

/**
 * Returns a page of the caller's notification centre in the token's workspace, newest first: the notifications of the kinds that the
 * caller may see now. Throws `invalid_cursor`.
 */
export async function listNotifications(
  { db, identity, workspace }: NotificationCentreContext,
  { unread, limit, starting_after }: z.output<typeof ListNotificationsInput>,
): Promise<Page> {
  const own = db
    .selectFrom('notifications as n')
    .where('workspace_id', '=', workspace.id)
    .where('user_id', '=', identity.user.id)
    .where(isVisibleTo(identity.user.id, workspace.id));
  let query = own
    .select(COLUMNS)
    .select(sql.raw<string>(NOTIFICATION_TITLE).as('title'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (unread) query = query.where('read_at', 'is', null);
  if (starting_after !== undefined) {
    const last = await own.select('created_at').where('id', '=', starting_after).executeTakeFirst();
    if (!last) throw new ApiError('invalid_cursor');
    query = query.where(sql<boolean>`(created_at, id) < (${last.created_at}, ${starting_after})`);
  }
  const rows = await query.execute();
  const data = rows.slice(0, limit).map((row): Notification => ({ object: 'notification', ...row }));
  const hasMore = rows.length > limit;
  return { data, meta: { has_more: hasMore, next_cursor: hasMore ? data.at(-1)!.id : null } };
}
