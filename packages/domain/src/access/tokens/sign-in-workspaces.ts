import {
  type Account,
  MAX_SESSIONS,
  MAX_WORKSPACES_LISTED,
  PLATFORM,
  type Scope,
  scopes,
  type TokenEnvironment,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { Identity, SignInProof, WorkspaceRef } from '../identity.ts';
import { firmIdOf, IS_ADMIN, IS_MEMBER, IS_SUSPENDED, MAY_ACT_IN_WORKSPACE } from '../policy.ts';
import { logoUrl } from '../workspaces/logo.ts';
import { isPlatform } from '../workspaces/sandbox.ts';
import { issueToken } from './issue-token.ts';
import { revokeTokens } from './revoke-tokens.ts';
import type { Token } from './token.entity.ts';

/** The scopes of every signed-in device, and those of an administrator's device. */
const MEMBER_SCOPES: Scope[] = [
  'mail:read',
  'mail:write',
  'calendar:read',
  'calendar:write',
  'notifications:read',
  'notifications:write',
];
const ADMIN_SCOPES: Scope[] = scopes.filter((scope) => scope !== 'platform:write');

/** A workspace that an account may sign in to. */
export interface SignInWorkspace extends WorkspaceRef {
  isAdmin: boolean;
  isSuspended: boolean;
}

/** Returns the workspaces that an account may sign in to: those of its memberships by slug, and `platform` for staff. */
export async function findSignInWorkspaces(
  { db }: OperationContext,
  user: { id: string; isStaff: boolean },
): Promise<SignInWorkspace[]> {
  const rows = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .innerJoin('workspaces as w', 'w.id', 'm.workspace_id')
    .select(['w.id', 'w.slug', 'w.name', sql.raw<boolean>(IS_ADMIN).as('isAdmin')])
    .select(sql.raw<boolean>(IS_SUSPENDED).as('isSuspended'))
    .where('m.user_id', '=', user.id)
    .where(sql.raw<boolean>(IS_MEMBER))
    .orderBy('w.slug')
    .execute();
  const workspaces: SignInWorkspace[] = [...rows];
  if (user.isStaff) {
    const platform = await db
      .selectFrom('workspaces')
      .select(['id', 'slug', 'name'])
      .where('slug', '=', PLATFORM)
      .executeTakeFirstOrThrow();
    workspaces.push({ ...platform, isAdmin: true, isSuspended: false });
  }
  return workspaces;
}

/**
 * Issues the token of a device that is signed in to a firm, or of a browser that opened a sandbox. `text` is the plaintext, which is not stored. If the
 * account has {@link MAX_SESSIONS} sessions there, ends the one that was not used for longest.
 */
export async function issueDeviceToken(
  ctx: OperationContext,
  userId: string,
  workspace: Pick<SignInWorkspace, 'id' | 'isAdmin'>,
  name: string | null,
  proof: SignInProof,
  environment: TokenEnvironment = 'live',
): Promise<{ token: Token; text: string }> {
  const oldest = await ctx.db
    .selectFrom('tokens')
    .select('id')
    .where('user_id', '=', userId)
    .where('workspace_id', '=', workspace.id)
    .where('kind', '=', 'device')
    .where('revoked_at', 'is', null)
    .orderBy(sql`coalesce(last_used_at, created_at)`, 'desc')
    .orderBy('id', 'desc')
    .offset(MAX_SESSIONS - 1)
    .execute();
  for (const { id } of oldest) await revokeTokens(ctx, { userId, id });
  return issueToken(ctx, {
    userId,
    workspaceId: workspace.id,
    kind: 'device',
    environment,
    scopes: workspace.isAdmin ? ADMIN_SCOPES : MEMBER_SCOPES,
    name,
    signedInBy: proof.method,
    verifiedAt: proof.verifiedAt,
  });
}

/** Selects the firms in which a member of the staff may act. */
export function selectStaffWorkspaces(db: Sql, userId: string) {
  return db
    .selectFrom('workspaces as f')
    .innerJoin('users as u', (join) => join.on('u.id', '=', userId))
    .select(['f.name', 'f.slug', 'f.logo_hash'])
    .where('f.sandbox_of', 'is', null)
    .where(sql.raw<boolean>(MAY_ACT_IN_WORKSPACE));
}

/** Returns whether the token belongs to staff and was issued for the workspace `platform`. */
export function isStaffSession({ user, home }: Identity): boolean {
  return user.isStaff && isPlatform(home);
}

/**
 * Returns the firms in which a caller may act, by name: the firms of a staff token; for a signed-in device, the firms of all
 * memberships of its account; for an API key of a firm, only that firm. A test token gets the firms too: in its calls their slugs name
 * the sandboxes.
 */
export async function findAccessibleWorkspaces(
  { db, services }: Pick<OperationContext, 'db' | 'services'>,
  identity: Identity,
): Promise<Account['workspaces']> {
  const { user, home, kind } = identity;
  const ofStaff = selectStaffWorkspaces(db, user.id);
  const ofMemberships = db
    .selectFrom('workspaces')
    .select(['name', 'slug', 'logo_hash'])
    .where('slug', '!=', PLATFORM)
    .where('suspended_at', 'is', null)
    .where((where) =>
      kind === 'device'
        ? where(
            'id',
            'in',
            where
              .selectFrom('memberships as m')
              .innerJoin('users as u', 'u.id', 'm.user_id')
              .select('m.workspace_id')
              .where('m.user_id', '=', user.id)
              .where(sql.raw<boolean>(IS_MEMBER)),
          )
        : where('id', '=', firmIdOf(home.id)),
    );
  const accessible = isStaffSession(identity) ? ofMemberships.union(ofStaff) : ofMemberships;
  const firms = await accessible.orderBy('name').orderBy('slug').limit(MAX_WORKSPACES_LISTED).execute();
  return firms.map(({ logo_hash, ...firm }) => ({ ...firm, logo_url: logoUrl(services, logo_hash) }));
}
