import { sql } from 'kysely';
import type { WorkspaceRef } from '../access/identity.ts';
import { raiseNotification } from '../notifications/index.ts';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { messagesFor } from '../push/index.ts';

interface SignedInDevice {
  user: { id: string; language: string };
  workspace: WorkspaceRef;
  /** What the device calls itself. */
  name: string | null;
}

/**
 * Notifies an account of a sign-in on a new device (contract §6.1, `new_device_signed_in`), before its session is stored: so
 * the new device is not told of itself. A device is known by its name: new is one whose name no session of the account,
 * living or ended, in whichever workspace, has had; those without a name are one device. The account's first session ever
 * is its owner's, and nobody else is there to be told.
 */
export async function notifyNewDevice(ctx: OperationContext, device: SignedInDevice): Promise<void> {
  const { user, workspace, name } = device;
  if (!(await isNew(ctx, user.id, name))) return;
  const { messages } = messagesFor(user.language);
  await raiseNotification(ctx, {
    workspace,
    kind: 'new_device_signed_in',
    title: messages.newSignIn,
    body: messages.signedIn(name ?? messages.unnamedDevice, workspace.name),
    actionUrl: '/account/sessions',
    to: [user.id],
  });
}

async function isNew({ em }: OperationContext, userId: string, name: string | null): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    select exists (select from tokens where kind = 'device' and user_id = ${userId})
      and not exists (
        select from tokens where kind = 'device' and user_id = ${userId} and coalesce(name, '') = ${name ?? ''}
      ) as "isNew"`.execute(sqlOf(em));
  return rows[0]!.isNew;
}
