import { storeNotifications } from '../../notifications/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';

/** Tells the author of a message, in the notification centre, that it did not reach everybody. */
export async function tellAuthor(
  ctx: OperationContext,
  workspaceId: number,
  authorId: string,
  { title, body }: { title: string; body: string },
): Promise<void> {
  await storeNotifications(
    ctx,
    { workspaceId, kind: 'mail_not_delivered', title, body, actionUrl: '/mail' },
    [authorId],
  );
}
