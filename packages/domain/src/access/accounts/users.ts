import {
  describeIssue,
  Email,
  IanaZone,
  idPrefixes,
  Language,
  type MemberRole,
  NewPassword,
  type Permission,
  PLATFORM,
  permissions,
} from '@firmdesk/contract';
import { raw } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import { newId } from '../../platform/process/ids.ts';
import type { Services } from '../../platform/services.ts';
import { recordAudit, recordPlatformAudit } from '../audit/audit.ts';
import { endChallenges } from '../sign-in/challenges.ts';
import { revokeTokens } from '../tokens/revoke-tokens.ts';
import { markRightsChanged } from '../tokens/token-rights.ts';
import { getFirm } from '../workspaces/workspaces.ts';
import { lockAccount } from './lock-account.ts';
import { hashPassword, matchesHash } from './password.ts';
import { proveAddress } from './prove-address.ts';
import { Membership, User } from './user.entity.ts';

export interface AddUserInput {
  email: string;
  name: string;
  /** The firm to join, or `platform` for the service's own staff, who may act in every firm. */
  workspace: string;
  role: MemberRole;
  permissions: readonly string[];
  password?: string | undefined;
  /** Whether a new account is known to be used by the owner of the address, as an operator answers for; true by default. */
  isAddressProved?: boolean;
  timezone?: string | undefined;
  language?: string | undefined;
}

/** Adds an account to a workspace. An existing account with the address becomes a member, also after a dismissal, but none whose address was not proved: who made it may be another person. */
export async function addUser(ctx: OperationContext, input: AddUserInput): Promise<User> {
  const { em, now } = ctx;
  if (!Email.safeParse(input.email).success) throw invalidField('email', 'must be an email address');
  const unknown = input.permissions.find((permission) => !permissions.includes(permission as Permission));
  if (unknown !== undefined) {
    throw invalidField(
      'permissions',
      `must not contain "${unknown}": the permissions are ${permissions.join(', ')}`,
    );
  }
  if (input.timezone !== undefined && !IanaZone.safeParse(input.timezone).success)
    throw invalidField('timezone', 'must be an IANA time zone');
  const language = Language.default('en').safeParse(input.language, { error: describeIssue });
  if (!language.success) throw invalidField('language', language.error.issues[0]!.message);
  const workspace = await getFirm(ctx, input.workspace);
  const isStaff = workspace.slug === PLATFORM;
  let user = await findByEmail(ctx, input.email);
  const isKnown = user !== null;
  const membership =
    user && !isStaff ? await em.findOne(Membership, { workspaceId: workspace.id, userId: user.id }) : null;
  if (!user) {
    user = em.create(User, {
      id: newId('user', now),
      email: input.email,
      emailProved: input.isAddressProved ?? true,
      name: input.name,
      timezone: input.timezone ?? 'UTC',
      language: language.data,
      createdAt: now,
    });
  } else if (isStaff ? user.isStaff : membership?.active) {
    throw invalidField('email', `already belongs to a member of ${workspace.slug}`);
  } else if (user.deactivatedAt) {
    throw invalidField('email', 'belongs to a deactivated account: reactivate it first');
  } else if (!user.emailProved) {
    throw invalidField(
      'email',
      'belongs to an account whose address is not proved: its owner must ask for a new password first',
    );
  }
  if (input.password !== undefined) user.passwordHash = await newHash(input.password);
  if (isStaff) {
    user.isStaff = true;
    user.staffOfAllFirms = true;
  } else if (membership) {
    Object.assign(membership, { active: true, role: input.role, permissions: input.permissions });
  } else {
    em.create(Membership, {
      workspaceId: workspace.id,
      userId: user.id,
      role: input.role,
      permissions: input.permissions as Permission[],
      createdAt: now,
    });
  }
  await em.flush();
  if (isKnown) await markRightsChanged(ctx, user.id);
  await recordAudit(ctx, workspace.id, {
    action: 'user.added',
    target: { type: 'user', id: user.id },
    after: isStaff ? { role: 'staff' } : { role: input.role, permissions: input.permissions },
  });
  return user;
}

/** Returns the account with an id, or with an email address, case-insensitively. Throws `resource_not_found`. */
export async function getUser(ctx: OperationContext, reference: string): Promise<User> {
  const user = isId(reference)
    ? await ctx.em.findOne(User, { id: reference, deletedAt: null })
    : await findByEmail(ctx, reference);
  if (!user) throw new ApiError('resource_not_found', { message: `There is no account ${reference}.` });
  return user;
}

/** Returns whether a text is the id of an account and not an email address. */
function isId(reference: string): boolean {
  return reference.startsWith(idPrefixes.user) && !reference.includes('@');
}

function findByEmail({ em }: OperationContext, email: string): Promise<User | null> {
  return em.findOne(User, { [raw('lower(email)')]: email.toLowerCase(), deletedAt: null });
}

export interface UserSummary {
  id: string;
  email: string;
  name: string;
  workspaces: string[];
  deleted: boolean;
  deactivated: boolean;
}

/** Returns all accounts, or those of one workspace, sorted by address. */
export async function listUsers(ctx: OperationContext, workspace?: string): Promise<UserSummary[]> {
  if (workspace !== undefined) await getFirm(ctx, workspace);
  const { rows } = await sql<UserSummary>`
    select u.id, u.email, u.name, u.deleted_at is not null as deleted, u.deactivated_at is not null as deactivated,
      coalesce(array_agg(w.slug order by w.slug) filter (where w.slug is not null), '{}')
        || case when u.is_staff then array['platform'] else '{}' end as workspaces
    from users u
    left join memberships m on m.user_id = u.id and m.active
    left join workspaces w on w.id = m.workspace_id
    group by u.id
    having ${workspace ?? null}::text is null or bool_or(w.slug = ${workspace ?? null})
      or (u.is_staff and ${workspace ?? null} = 'platform')
    order by lower(u.email)`.execute(ctx.db);
  return rows;
}

/** Sets an account's password and signs out all its devices. Returns the number of devices. */
export async function setPassword(
  ctx: OperationContext,
  email: string,
  password: string,
): Promise<{ signedOut: number }> {
  const user = await getUser(ctx, email);
  // The operator answers for the address.
  await proveAddress(ctx, user.id);
  await lockAccount(ctx, user.id, 'exclusive');
  user.passwordHash = await newHash(password);
  await ctx.em.flush();
  // A link for a new password that somebody else has must not undo it.
  await endChallenges(ctx, user.id);
  const revoked = await revokeTokens(ctx, { userId: user.id });
  await recordPlatformAudit(ctx, {
    action: 'user.password_set',
    target: { type: 'user', id: user.id },
    after: { revoked },
  });
  return { signedOut: revoked.length };
}

/** Returns the id of an account, whether its address was proved, and the hash of its password, which is null for an account without one. Returns undefined for an unknown or deactivated account. */
export async function findPassword(
  { pool }: Pick<Services, 'pool'>,
  email: string,
): Promise<{ id: string; email_proved: boolean; password_hash: string | null } | undefined> {
  const { rows } = await pool.query<{ id: string; email_proved: boolean; password_hash: string | null }>(
    'select id, email_proved, password_hash from users where lower(email) = lower($1) and deleted_at is null and deactivated_at is null',
    [email],
  );
  return rows[0];
}

/** Returns whether an account has this password. Must not be used for sign-in: attempts are not limited. */
export async function hasPassword(
  services: Pick<Services, 'pool'>,
  email: string,
  password: string,
): Promise<boolean> {
  return matchesHash(password, (await findPassword(services, email))?.password_hash ?? null);
}

async function newHash(password: string): Promise<string> {
  const parsed = NewPassword.safeParse(password, { error: describeIssue });
  if (!parsed.success) throw invalidField('password', parsed.error.issues[0]!.message);
  return hashPassword(parsed.data);
}
