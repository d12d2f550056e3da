import type { OperationContext } from '../platform/database/context.ts';
import { addToDirectory, type MailboxRef } from './mailbox-directory.ts';

/** Creates a mailbox from which one account reads and writes. Fails if another mailbox, of any firm, has the address. */
export async function createMailbox(
  { db, now }: OperationContext,
  input: { workspaceId: number; email: string; name: string; userId: string },
): Promise<MailboxRef> {
  const { workspaceId, email, name, userId } = input;
  const { id } = await db
    .insertInto('mailboxes')
    .values({ workspace_id: workspaceId, email, name, created_at: now.toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addToDirectory(db, [{ id, workspace_id: workspaceId, email }]);
  await db
    .insertInto('mailbox_members')
    .values({ workspace_id: workspaceId, mailbox_id: id, user_id: userId })
    .execute();
  return { workspaceId, mailboxId: id };
}
