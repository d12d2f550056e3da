import { sql } from 'kysely';
import type { WorkspaceRef } from '../access/identity.ts';
import { raiseNotification } from '../notifications/index.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { messagesFor } from '../push/index.ts';

interface SignedInDevice {
  user: { id: string; language: string };
  workspace: WorkspaceRef;
  /** The id of the session that the device opens. It is not stored yet. */
  session: string;
  /** The name that the device sent. */
  name: string | null;
}

/**
 * Notifies an account of a sign-in on a new device (contract §6.1, `new_device_signed_in`). The new device gets no push itself. A
 * device is new if no session of the account, live or ended, in any workspace, had its name; all devices without a name count as
 * one device. The first sign-in of an account raises no notification.
 */
export async function notifyNewDevice(ctx: OperationContext, device: SignedInDevice): Promise<void> {
  const { user, workspace, session, name } = device;
  if (!(await isNew(ctx, user.id, name))) return;
  const messages = messagesFor(user.language);
  await raiseNotification(ctx, {
    workspace,
    kind: 'new_device_signed_in',
    title: messages.newSignIn,
    body: messages.signedIn(name ?? messages.unnamedDevice, workspace.name),
    actionUrl: '/account/sessions',
    to: [user.id],
    exceptSession: session,
  });
}

async function isNew({ db }: OperationContext, userId: string, name: string | null): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    select exists (select from tokens where kind = 'device' and user_id = ${userId})
      and not exists (
        select from tokens where kind = 'device' and user_id = ${userId} and coalesce(name, '') = ${name ?? ''}
      ) as "isNew"`.execute(db);
  return rows[0]!.isNew;
}
