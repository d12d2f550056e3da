import type { OperationContext } from '../../platform/database/context.ts';
import { Mailbox, MailboxMember } from '../mail.entity.ts';
import { addToDirectory, type MailboxRef } from './mailbox-directory.ts';

/** Creates a mailbox from which one account reads and writes. Fails if another mailbox, of any firm, has the address. */
export async function createMailbox(
  { em, db, now }: OperationContext,
  input: { workspaceId: number; email: string; name: string; userId: string },
): Promise<MailboxRef> {
  const { workspaceId, email, name, userId } = input;
  const mailbox = em.create(Mailbox, { workspaceId, email, name, createdAt: now });
  await em.flush();
  await addToDirectory(db, [{ id: mailbox.id, workspace_id: workspaceId, email }]);
  em.create(MailboxMember, { workspaceId, mailboxId: mailbox.id, userId });
  return { workspaceId, mailboxId: mailbox.id };
}
