import { PLATFORM } from '@firmdesk/contract';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import { lockAccount } from './lock-account.ts';
import { revokeTokens } from './revoke-tokens.ts';
import { markRightsChanged } from './token-rights.ts';
import { getUser } from './users.ts';
import { getWorkspace } from './workspaces.ts';

/**
 * Ends the membership of an account in a firm, or in the service's own staff (`platform`). The account loses immediately its
 * permissions, mailboxes and calendars there, because `policy.ts` derives them from the membership. Its tokens of that workspace
 * are revoked, which ends their push registrations and closes their sockets. Other memberships stay. Throws `resource_not_found`
 * for an unknown account or workspace, and if the account is not a member.
 */
export async function dismissMember(
  ctx: OperationContext,
  input: { email: string; workspace: string },
): Promise<{ revoked: string[] }> {
  const user = await getUser(ctx, input.email);
  const workspace = await getWorkspace(ctx, input.workspace);
  // Waits for a concurrent sign-in, so that its token is revoked too.
  await lockAccount(ctx, user.id, 'exclusive');
  const wasMember =
    workspace.slug === PLATFORM
      ? await endStaff(ctx, user.id)
      : await endMembership(ctx, user.id, workspace.id);
  const revoked = await revokeTokens(ctx, { userId: user.id, workspaceId: workspace.id, anyKind: true });
  await markRightsChanged(ctx, user.id);
  if (!wasMember && revoked.length === 0) {
    throw new ApiError('resource_not_found', {
      message: `${input.email} is not a member of ${workspace.slug}.`,
    });
  }
  return { revoked };
}

async function endMembership(
  { em }: OperationContext,
  userId: string,
  workspaceId: number,
): Promise<boolean> {
  const ended = await sqlOf(em)
    .updateTable('memberships')
    .set({ active: false })
    .where('user_id', '=', userId)
    .where('workspace_id', '=', workspaceId)
    .where('active', '=', true)
    .executeTakeFirst();
  return ended.numUpdatedRows > 0n;
}

async function endStaff({ em }: OperationContext, userId: string): Promise<boolean> {
  const db = sqlOf(em);
  await db.deleteFrom('staff_firms').where('user_id', '=', userId).execute();
  const ended = await db
    .updateTable('users')
    .set({ is_staff: false, staff_of_all_firms: false })
    .where('id', '=', userId)
    .where('is_staff', '=', true)
    .executeTakeFirst();
  return ended.numUpdatedRows > 0n;
}
