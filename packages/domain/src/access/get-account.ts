import {
  type Account,
  type MemberRole,
  type Permission,
  PLATFORM,
  permissions,
  WORKSPACES_LISTED,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { AccountContext } from '../kernel/context.ts';
import { type Sql, sqlOf } from '../kernel/database.ts';
import { ApiError } from '../kernel/errors.ts';
import type { Identity } from './identity.ts';

type Tenant = Account['workspaces'][number];

/**
 * Who calls, and what they may do in the environment that they act in: the token's own, or the firm that the staff name in
 * `Service-Workspace`. Raises `workspace_not_permitted` for a firm that is not among theirs.
 */
export async function getAccount({ em, identity, call }: AccountContext): Promise<Account> {
  const { isStaff: hasStaffRights, ...user } = identity.user;
  const isStaff = hasStaffRights && identity.home.slug === PLATFORM;
  const named = call.workspaces.filter((slug) => slug !== '');
  const home = tenantOf(identity.home);
  const common = {
    object: 'account' as const,
    user,
    is_staff: isStaff,
    scopes: [...identity.scopes],
  };
  if (!isStaff) {
    if (named.some((slug) => slug !== home.slug) || named.length > 1) throw notPermitted();
    const { role, held } = await membershipOf(sqlOf(em), identity);
    const isFirm = home.slug !== PLATFORM;
    return { ...common, workspace: { ...home, role }, permissions: held, workspaces: isFirm ? [home] : [] };
  }
  const firms = () => firmsOf(sqlOf(em), user.id);
  const workspaces = await firms().orderBy('name').orderBy('slug').limit(WORKSPACES_LISTED).execute();
  if (named.length === 0) {
    return { ...common, workspace: { ...home, role: 'staff' }, permissions: [], workspaces };
  }
  const firm = named.length === 1 ? await firms().where('slug', '=', named[0]!).executeTakeFirst() : null;
  if (!firm) throw notPermitted();
  return {
    ...common,
    workspace: { ...firm, role: 'staff' },
    permissions: [...permissions],
    workspaces,
  };
}

function tenantOf({ name, slug }: Identity['home']): Tenant {
  return { name, slug };
}

function notPermitted(): ApiError {
  return new ApiError('workspace_not_permitted');
}

async function membershipOf(
  db: Sql,
  { user, home }: Identity,
): Promise<{ role: MemberRole | null; held: Permission[] }> {
  const membership = await db
    .selectFrom('memberships')
    .select(['role', 'permissions'])
    .where('user_id', '=', user.id)
    .where('workspace_id', '=', home.id)
    .where('active', '=', true)
    .executeTakeFirst();
  return { role: membership?.role ?? null, held: membership?.permissions ?? [] };
}

/** The firms that a member of the staff may act in. */
function firmsOf(db: Sql, userId: string) {
  return db
    .selectFrom('workspaces')
    .select(['name', 'slug'])
    .where('slug', '!=', PLATFORM)
    .where(
      sql<boolean>`(
        (select staff_of_all_firms from users where id = ${userId})
        or id in (select workspace_id from staff_firms where user_id = ${userId}))`,
    );
}
