import { type MemberRole, type Permission, PLATFORM, permissions } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import { lockAccount } from '../accounts/lock-account.ts';
import { Membership } from '../accounts/user.entity.ts';
import { getUser } from '../accounts/users.ts';
import { recordAudit } from '../audit/audit.ts';
import { PERMISSIONS } from '../policy.ts';
import { markRightsChanged } from '../tokens/token-rights.ts';
import { getFirm } from './workspaces.ts';

export interface MemberPermissions {
  user: string;
  workspace: string;
  role: MemberRole;
  active: boolean;
  /** The permissions that the account holds now: none without the role of an administrator, or while it is dismissed or deactivated. */
  permissions: Permission[];
}

export interface PermissionChange {
  /** Replaces the permissions. Otherwise `grant` adds to them, and `revoke` removes. */
  set?: readonly string[] | undefined;
  grant?: readonly string[] | undefined;
  revoke?: readonly string[] | undefined;
}

/**
 * Returns the permissions of a member in a firm, after the given change. A change takes effect with the next call, and closes the
 * member's sockets, which reconnect. Throws `resource_not_found` for an account that is not a member.
 */
export async function changePermissions(
  ctx: OperationContext,
  target: { user: string; workspace: string },
  { set, grant = [], revoke = [] }: PermissionChange,
): Promise<MemberPermissions> {
  for (const [field, named] of Object.entries({ set: set ?? [], grant, revoke })) ensureKnown(field, named);
  const user = await getUser(ctx, target.user);
  const workspace = await getFirm(ctx, target.workspace);
  if (workspace.slug === PLATFORM)
    throw invalidField(
      'firm',
      'must be a firm: staff hold every permission in the firms in which they may act',
    );
  // This waits for a concurrent change, so that it is not undone.
  await lockAccount(ctx, user.id, 'exclusive');
  const stored = await ctx.em.findOneOrFail(
    Membership,
    { workspaceId: workspace.id, userId: user.id },
    {
      failHandler: () =>
        new ApiError('resource_not_found', {
          message: `${user.email} is not a member of ${workspace.slug}.`,
        }),
    },
  );
  const before = stored.permissions;
  const isWanted = (permission: Permission) =>
    (set ?? before).includes(permission) || grant.includes(permission);
  const wanted = permissions.filter((permission) => isWanted(permission) && !revoke.includes(permission));
  const isChange = set !== undefined || grant.length > 0 || revoke.length > 0;
  if (isChange && stored.role !== 'admin')
    throw invalidField(
      'user',
      `must be an administrator of ${workspace.slug}: a ${stored.role} holds no permissions`,
    );
  if (isChange && wanted.join() !== permissions.filter((one) => before.includes(one)).join()) {
    stored.permissions = wanted;
    await ctx.em.flush();
    await markRightsChanged(ctx, user.id);
    await recordAudit(ctx, workspace.id, {
      action: 'user.permissions_changed',
      target: { type: 'user', id: user.id },
      before: { permissions: before },
      after: { permissions: wanted },
    });
  }
  const { rows } = await sql<Omit<MemberPermissions, 'user' | 'workspace'>>`
    select m.role, m.active, ${sql.raw(PERMISSIONS)} as permissions
    from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${workspace.id} and m.user_id = ${user.id}`.execute(ctx.db);
  return { user: user.id, workspace: workspace.slug, ...rows[0]! };
}

function ensureKnown(field: string, named: readonly string[]): void {
  const unknown = named.find((permission) => !permissions.includes(permission as Permission));
  if (unknown !== undefined)
    throw invalidField(field, `must not contain "${unknown}": the permissions are ${permissions.join(', ')}`);
}
