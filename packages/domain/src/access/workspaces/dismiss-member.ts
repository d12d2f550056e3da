import { PLATFORM } from '@firmdesk/contract';
import type { OperationContext } from '../../platform/database/context.ts';
import { ApiError } from '../../platform/process/errors.ts';
import { lockAccount } from '../accounts/lock-account.ts';
import { Membership, StaffWorkspace, User } from '../accounts/user.entity.ts';
import { getUser } from '../accounts/users.ts';
import { recordAudit } from '../audit/audit.ts';
import { revokeTokens } from '../tokens/revoke-tokens.ts';
import { markRightsChanged } from '../tokens/token-rights.ts';
import { getFirm } from './workspaces.ts';

/**
 * Ends the membership of an account in a firm, or in the service's own staff (`platform`). The account loses immediately its
 * permissions, mailboxes and calendars there, because `policy.ts` derives them from the membership. Its tokens of that workspace, and of its sandbox,
 * are revoked, which ends their push registrations and closes their sockets. Other memberships stay. Throws `resource_not_found`
 * for an unknown account or workspace, and if the account is not a member.
 */
export async function dismissMember(
  ctx: OperationContext,
  input: { email: string; workspace: string },
): Promise<{ revoked: string[] }> {
  const user = await getUser(ctx, input.email);
  const workspace = await getFirm(ctx, input.workspace);
  // Waits for a concurrent sign-in, so that its token is revoked too.
  await lockAccount(ctx, user.id, 'exclusive');
  const wasMember =
    workspace.slug === PLATFORM
      ? await endStaff(ctx, user.id)
      : await endMembership(ctx, user.id, workspace.id);
  const revoked = await revokeTokens(ctx, { userId: user.id, firmId: workspace.id, anyKind: true });
  await markRightsChanged(ctx, user.id);
  if (!wasMember && revoked.length === 0) {
    throw new ApiError('resource_not_found', {
      message: `${input.email} is not a member of ${workspace.slug}.`,
    });
  }
  await recordAudit(ctx, workspace.id, {
    action: 'user.dismissed',
    target: { type: 'user', id: user.id },
    after: { revoked },
  });
  return { revoked };
}

/**
 * Makes a dismissed account a member of the firm again, with the role and the permissions that it had. Its tokens stay revoked. Throws
 * `resource_not_found` for an account that was never a member; staff are added again instead.
 */
export async function readmitMember(
  ctx: OperationContext,
  input: { email: string; workspace: string },
): Promise<void> {
  const user = await getUser(ctx, input.email);
  const workspace = await getFirm(ctx, input.workspace);
  const membership = await ctx.em.findOne(Membership, {
    workspaceId: workspace.id,
    userId: user.id,
    active: false,
  });
  if (!membership)
    throw new ApiError('resource_not_found', {
      message: `${input.email} is not a dismissed member of ${workspace.slug}.`,
    });
  membership.active = true;
  await markRightsChanged(ctx, user.id);
  await recordAudit(ctx, workspace.id, { action: 'user.readmitted', target: { type: 'user', id: user.id } });
}

async function endMembership(
  { em }: OperationContext,
  userId: string,
  workspaceId: number,
): Promise<boolean> {
  const membership = await em.findOne(Membership, { workspaceId, userId, active: true });
  if (membership) membership.active = false;
  return membership !== null;
}

async function endStaff({ em }: OperationContext, userId: string): Promise<boolean> {
  await em.nativeDelete(StaffWorkspace, { userId });
  const user = await em.findOne(User, { id: userId, isStaff: true }, { refresh: true });
  if (user) em.assign(user, { isStaff: false, staffOfAllFirms: false });
  return user !== null;
}
