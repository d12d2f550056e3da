import { type Account, type MemberRole, type Permission, permissions } from '@firmdesk/contract';
import { sql } from 'kysely';
import { avatarUrl, selectAvatar } from '../access/accounts/avatar.ts';
import type { Identity } from '../access/identity.ts';
import { firmIdOf, IS_MEMBER, needsReason, PERMISSIONS } from '../access/policy.ts';
import { findAccessibleWorkspaces, isStaffSession } from '../access/tokens/sign-in-workspaces.ts';
import { logoUrl } from '../access/workspaces/logo.ts';
import type { Sql } from '../platform/database/database.ts';
import type { AccountContext } from '../procedures/call-context.ts';

/** Returns the caller's account and its permissions in the workspace of the call: the token's own, or the firm that staff name. */
export async function getAccount({
  db,
  services,
  identity,
  workspace,
  call,
}: AccountContext): Promise<Account> {
  const { isStaff: _, ...user } = identity.user;
  const isStaff = isStaffSession(identity);
  const { role, permissions: held } = isStaff
    ? { role: 'staff' as const, permissions: workspace.id === identity.home.id ? [] : [...permissions] }
    : await membershipOf(db, identity);
  return {
    object: 'account',
    user,
    avatar_url: await avatarOf({ db, services }, user.id),
    is_staff: isStaff,
    needs_reason:
      call.isOfConsole &&
      workspace.id !== identity.home.id &&
      needsReason(identity) &&
      !(await hasEntered(db, identity, workspace.id)),
    scopes: [...identity.scopes],
    workspace: {
      name: workspace.name,
      slug: workspace.slug,
      logo_url: await logoOfFirm({ db, services }, workspace.id),
      role,
    },
    permissions: held,
    workspaces: await findAccessibleWorkspaces({ db, services }, identity),
  };
}

async function hasEntered(db: Sql, { tokenId }: Identity, workspaceId: number): Promise<boolean> {
  const { rows } = await sql`
    select from tokens where id = ${tokenId} and ${workspaceId} = any(entered_firms)`.execute(db);
  return rows.length > 0;
}

async function avatarOf(
  { db, services }: Pick<AccountContext, 'db' | 'services'>,
  userId: string,
): Promise<string | null> {
  const { rows } = await sql<{ avatar: string | null }>`
    select ${sql.raw(selectAvatar('u'))} as avatar from users u where u.id = ${userId}`.execute(db);
  return avatarUrl(services, rows[0]?.avatar ?? null);
}

async function logoOfFirm(
  { db, services }: Pick<AccountContext, 'db' | 'services'>,
  workspaceId: number,
): Promise<string | null> {
  const { rows } = await sql<{ logo_hash: string | null }>`
    select logo_hash from workspaces where id = ${workspaceId}`.execute(db);
  return logoUrl(services, rows[0]?.logo_hash ?? null);
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
  return {
    role: membership?.role ?? null,
    permissions: permissions.filter((known) => membership?.permissions.includes(known)),
  };
}
