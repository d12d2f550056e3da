import { type Account, type MemberRole, type Permission, permissions } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { Identity } from '../access/identity.ts';
import { firmIdOf, IS_MEMBER, PERMISSIONS } from '../access/policy.ts';
import {
  findAccessibleWorkspaces,
  isStaffSession,
  selectStaffWorkspaces,
} from '../access/sign-in-workspaces.ts';
import { firmSlug, isNamedBy, slugIn } from '../access/twin.ts';
import { type Sql, sqlOf } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';

type WorkspaceName = Account['workspaces'][number];

/**
 * Returns the caller's account and its permissions in the workspace of the call: the token's own, or the firm that staff name in
 * `Service-Workspace`. Throws `workspace_not_permitted` for a firm in which the caller may not act.
 */
export async function getAccount({ em, identity, call }: AccountContext): Promise<Account> {
  const { isStaff: _, ...user } = identity.user;
  const isStaff = isStaffSession(identity);
  const named = call.workspaces.filter((slug) => slug !== '');
  const home = workspaceNameOf(identity.home);
  const common = {
    object: 'account' as const,
    user,
    is_staff: isStaff,
    scopes: [...identity.scopes],
  };
  const workspaces = await findAccessibleWorkspaces(sqlOf(em), identity);
  if (!isStaff) {
    if (named.some((slug) => !isNamedBy(home, slug)) || named.length > 1) throw notPermitted();
    const { role, permissions: memberPermissions } = await membershipOf(sqlOf(em), identity);
    return { ...common, workspace: { ...home, role }, permissions: memberPermissions, workspaces };
  }
  if (named.length === 0) {
    return { ...common, workspace: { ...home, role: 'staff' }, permissions: [], workspaces };
  }
  const firm =
    named.length === 1
      ? await selectStaffWorkspaces(sqlOf(em), user.id)
          .where('f.slug', '=', firmSlug(named[0]!))
          .executeTakeFirst()
      : null;
  const slug = firm && slugIn(identity.environment, firm.slug);
  if (!slug || !isNamedBy({ slug }, named[0]!)) throw notPermitted();
  return {
    ...common,
    workspace: { name: firm.name, slug, role: 'staff' },
    permissions: [...permissions],
    workspaces,
  };
}

function workspaceNameOf({ name, slug }: Identity['home']): WorkspaceName {
  return { name, slug };
}

function notPermitted(): ApiError {
  return new ApiError('workspace_not_permitted');
}

async function membershipOf(
  db: Sql,
  { user, home }: Identity,
): Promise<{ role: MemberRole | null; permissions: Permission[] }> {
  const membership = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.role', sql.raw<Permission[]>(PERMISSIONS).as('permissions')])
    .where('m.user_id', '=', user.id)
    .where('m.workspace_id', '=', firmIdOf(home.id))
    .where(sql.raw<boolean>(IS_MEMBER))
    .executeTakeFirst();
  return { role: membership?.role ?? null, permissions: membership?.permissions ?? [] };
}
