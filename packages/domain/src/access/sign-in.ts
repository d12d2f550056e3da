import { PLATFORM, type Scope, type SignedIn, type SignInInput, scopes } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { CallContext } from '../kernel/context.ts';
import { sqlOf } from '../kernel/database.ts';
import { ApiError, invalidField } from '../kernel/errors.ts';
import type { WorkspaceRef } from './identity.ts';
import { issueToken } from './issue-token.ts';
import { isPassword } from './password.ts';
import { sessionCookie } from './session-cookie.ts';
import { tellNewDevice } from './tell-new-device.ts';

/** What every signed-in device may do for its own user, and what an administrator's may do besides. */
const OWN_SCOPES: Scope[] = [
  'mail:read',
  'mail:write',
  'calendar:read',
  'calendar:write',
  'notifications:read',
  'notifications:write',
];
const ADMIN_SCOPES: Scope[] = scopes.filter((scope) => scope !== 'platform:write');

/** A workspace that an account may sign in to. */
interface Entry extends WorkspaceRef {
  isAdmin: boolean;
}

/**
 * Signs a device in with email and password. Unknown account, account without a password and wrong password are one
 * answer: `invalid_credentials`. An account of several workspaces must say which (`validation_failed`). A new device is told
 * of to the account in the same transaction.
 */
export async function signIn(ctx: CallContext, input: z.infer<typeof SignInInput>): Promise<SignedIn> {
  const { em, services, call } = ctx;
  await services.limits.signIn(call.ip, input.email);
  const user = await sqlOf(em)
    .selectFrom('users')
    .select(['id', 'name', 'email', 'timezone', 'language', 'is_staff', 'password_hash'])
    .where(sql`lower(email)`, '=', sql`lower(${input.email})`)
    .where('deleted_at', 'is', null)
    // A change of password waits for this sign-in, and then signs it out.
    .forShare()
    .executeTakeFirst();
  if (!(await isPassword(input.password, user?.password_hash ?? null)) || !user) {
    throw new ApiError('invalid_credentials');
  }
  const workspace = chosen(await entriesOf(ctx, user.id, user.is_staff), input.workspace);
  await tellNewDevice(ctx, { user, workspace, name: input.name ?? null });
  const { token, text } = issueToken(ctx, {
    userId: user.id,
    workspaceId: workspace.id,
    kind: 'device',
    environment: 'live',
    scopes: workspace.isAdmin ? ADMIN_SCOPES : OWN_SCOPES,
    name: input.name ?? null,
  });
  if (input.cookie) call.reply.headers['Set-Cookie'] = sessionCookie(text, services.secureCookies);
  return {
    object: 'session',
    id: token.id,
    name: token.name ?? null,
    created_at: token.createdAt.toISOString(),
    last_used_at: null,
    expires_at: null,
    current: true,
    token: input.cookie ? null : text,
    scopes: token.scopes,
    tenant: { name: workspace.name, slug: workspace.slug },
    user: {
      id: user.id,
      name: user.name,
      email: user.email,
      timezone: user.timezone,
      language: user.language,
    },
  };
}

async function entriesOf({ em }: CallContext, userId: string, isStaff: boolean): Promise<Entry[]> {
  const rows = await sqlOf(em)
    .selectFrom('memberships as m')
    .innerJoin('workspaces as w', 'w.id', 'm.workspace_id')
    .select(['w.id', 'w.slug', 'w.name', 'm.role'])
    .where('m.user_id', '=', userId)
    .where('m.active', '=', true)
    .orderBy('w.slug')
    .execute();
  const entries: Entry[] = rows.map(({ role, ...workspace }) => ({
    ...workspace,
    isAdmin: role === 'admin',
  }));
  if (isStaff) {
    const platform = await sqlOf(em)
      .selectFrom('workspaces')
      .select(['id', 'slug', 'name'])
      .where('slug', '=', PLATFORM)
      .executeTakeFirstOrThrow();
    entries.push({ ...platform, isAdmin: true });
  }
  return entries;
}

function chosen(entries: Entry[], slug: string | undefined): Entry {
  const candidates = slug === undefined ? entries : entries.filter((entry) => entry.slug === slug);
  if (candidates.length === 1) return candidates[0]!;
  // An account that belongs nowhere any more cannot sign in, whatever it names.
  if (candidates.length === 0) throw new ApiError('invalid_credentials');
  throw invalidField('workspace', `is needed, one of: ${entries.map((entry) => entry.slug).join(', ')}`);
}
