/**
 * The access rules, as SQL fragments. Guards, queries, pushes and live checks all use these; no other file repeats a rule.
 * Each statement checks a right at the moment of its use, so all rights end together with the membership.
 *
 * The fragments refer to rows by fixed aliases: `t` a token, `u` its account, `h` its workspace, `w` the firm whose members are the
 * members of that workspace (itself, or for a sandbox the firm of which it is the sandbox), `m` the membership of the account in `w`.
 * In Kysely, wrap them in `sql.raw`.
 */
import { type Permission, PLATFORM, TOKEN_IDLE_DAYS } from '@firmdesk/contract';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Identity } from './identity.ts';
import { isPlatform, slugIn } from './workspaces/sandbox.ts';

/** Tokens with `t`, `u`, `h`, `w` and `m`; `m` is null without a membership. */
export const TOKENS = `tokens t
  join users u on u.id = t.user_id
  join workspaces h on h.id = t.workspace_id
  join workspaces w on w.id = coalesce(h.sandbox_of, h.id)
  left join memberships m on m.workspace_id = w.id and m.user_id = t.user_id`;

/** Returns the id of the firm whose members are the members of a workspace. PostgreSQL evaluates it once per statement. */
export function firmIdOf(workspaceId: number | RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(select coalesce(sandbox_of, id) from workspaces where id = ${workspaceId})`;
}

/** The account can act: it is neither deleted nor deactivated. */
export const IS_ENABLED = '(u.deleted_at is null and u.deactivated_at is null)';

/** The token is revoked, or its account cannot act. */
export const IS_REVOKED = `(t.revoked_at is not null or not ${IS_ENABLED})`;

/** Returns the condition that the last secret of a rotated token is still accepted. `now` is an SQL expression. */
export function acceptsPreviousSecret(now: string): string {
  return `coalesce(t.previous_secret_until > ${now}, false)`;
}

/** Returns the condition that the token is past its expiry, or has not been used for too long. `now` is an SQL expression. */
export function isExpired(now: string): string {
  return `(coalesce(t.expires_at <= ${now}, false)
    or coalesce(t.last_used_at, t.created_at) <= ${now} - interval '${TOKEN_IDLE_DAYS * 24} hours')`;
}

/** Returns the condition that the token is neither revoked nor expired. */
export function isLive(now: string): string {
  return `(not ${IS_REVOKED} and not ${isExpired(now)})`;
}

/** Returns {@link isLive} for a given time. The time is a parameter, so that a statement's text can be prepared. */
export function isLiveAt(now: Date): RawBuilder<SqlBool> {
  const parts = isLive(':now').split(':now');
  return sql.join(
    parts.map((part) => sql.raw(part)),
    sql`${now.toISOString()}::timestamptz`,
  );
}

/** The account belongs to the service's own staff. */
export const IS_STAFF = `(u.is_staff and ${IS_ENABLED})`;
/** Returns whether a token is one of the staff. In the firms in which staff may act, they hold every permission. */
export function isStaffToken({ home }: Pick<Identity, 'home'>): boolean {
  return isPlatform(home);
}
/**
 * Returns whether a session of the console acts in a firm only after its person has said why: those that a member of the staff has opened by a
 * sign-in. An API key is given out by an operator for a purpose.
 */
export function needsReason({
  home,
  signIn,
  environment,
}: Pick<Identity, 'home' | 'signIn' | 'environment'>): boolean {
  return isStaffToken({ home }) && signIn.method !== null && environment === 'live';
}
/** The account is an active member of the firm, in any role. */
export const IS_MEMBER = `(m.active and ${IS_ENABLED})`;
/** The account is an administrator of the firm. */
export const IS_ADMIN = `(m.role = 'admin' and ${IS_MEMBER})`;
/** The permissions that the account holds in the firm: those of an administrator, none for others. */
export const PERMISSIONS = `case when ${IS_ADMIN} then m.permissions else '{}' end`;
/** Returns the condition that the account holds a permission in the firm. */
export function isPermitted(permission: Permission): string {
  return `('${permission}' = any(${PERMISSIONS}))`;
}
/** The account is an agent: an administrator who may see the firm's tickets. */
export const IS_AGENT = isPermitted('view_tickets');
/** The account is an agent who may answer tickets. Only such agents can be assigned. */
export const MAY_ANSWER = `(${IS_AGENT} and ${isPermitted('manage_tickets')})`;

/** The account belongs to the workspace: an active member of a firm, or staff on the platform. */
export const BELONGS_TO_WORKSPACE = `case when w.slug = '${PLATFORM}' then ${IS_STAFF} else coalesce(${IS_MEMBER}, false) end`;
/** The account administers the workspace: an administrator of a firm, or staff on the platform. */
export const ADMINISTERS_WORKSPACE = `case when w.slug = '${PLATFORM}' then ${IS_STAFF} else coalesce(${IS_ADMIN}, false) end`;

/** The firm of the token is suspended: calls, streams and pushes of the firm and of its sandbox are refused. */
export const IS_SUSPENDED = '(w.suspended_at is not null)';

/** The account is staff of the firm `f`, or of the firm of which `f` is the sandbox. Of `platform`, only the staff of all firms are. */
const IS_STAFF_OF_FIRM = `(${IS_STAFF} and (u.staff_of_all_firms
  or exists (select from staff_firms s where s.user_id = u.id and s.workspace_id = coalesce(f.sandbox_of, f.id))))`;

/** The workspace `f` is that of the service's own staff, or its sandbox. */
const IS_PLATFORM = `f.slug in ('${PLATFORM}', '${slugIn('test', PLATFORM)}')`;

/** The firm `f`, or the firm of which `f` is the sandbox, is suspended. */
export const IS_FIRM_SUSPENDED = `exists (select from workspaces s where s.id = coalesce(f.sandbox_of, f.id) and s.suspended_at is not null)`;

/** The account is staff and may act in the firm `f`, or in the firm of which `f` is the sandbox. */
export const MAY_ACT_IN_WORKSPACE = `(not ${IS_PLATFORM} and ${IS_STAFF_OF_FIRM} and not ${IS_FIRM_SUSPENDED})`;

/**
 * The token may act for the firm `f`, or for the firm of which `f` is the sandbox: a token of a firm for that firm, a token of the staff
 * for the firms of its account, and for `platform` if these are all. Whether the firm is suspended is another question.
 */
export const MAY_ACT_FOR_FIRM = `case when w.slug = '${PLATFORM}' then ${IS_STAFF_OF_FIRM} else coalesce(f.sandbox_of, f.id) = w.id end`;

/** {@link MAY_ACT_FOR_FIRM}, in the token's environment: a test token acts in sandboxes, a live one in firms. */
const MAY_ACT_FOR = `((f.sandbox_of is not null) = (t.environment = 'test') and ${MAY_ACT_FOR_FIRM})`;

/** {@link MAY_ACT_FOR} a firm that a header names. It never names \`platform\`. */
export const MAY_ACT_FOR_NAMED = `(not ${IS_PLATFORM} and ${MAY_ACT_FOR})`;

/** Returns the condition that the caller may act for the workspace `f`, which the input names: by its slug, or by a mailbox of it. */
export function mayActFor({ tokenId }: Pick<Identity, 'tokenId'>): RawBuilder<SqlBool> {
  return sql`exists (select from ${sql.raw(TOKENS)} where t.id = ${tokenId} and ${sql.raw(MAY_ACT_FOR)})`;
}

/** Accounts `u` in workspaces `h`, with the firm `w` and the membership `m`; `m` is null without a membership. */
export const ACCOUNTS = `users u cross join workspaces h join workspaces w on w.id = coalesce(h.sandbox_of, h.id)
  left join memberships m on m.workspace_id = w.id and m.user_id = u.id`;

/** Returns the condition that an account belongs to a workspace. Takes SQL expressions for the ids, without `u`, `w` or `m`. */
export function belongs(user: string, workspace: string): string {
  return `exists (select from ${ACCOUNTS} where u.id = ${user} and h.id = ${workspace} and ${BELONGS_TO_WORKSPACE})`;
}

/** Returns {@link belongs} for given ids; PostgreSQL evaluates it once per statement. */
export function belongsTo(userId: string, workspaceId: number): RawBuilder<SqlBool> {
  return sql`exists (select from ${sql.raw(ACCOUNTS)}
    where u.id = ${userId} and h.id = ${workspaceId} and ${sql.raw(BELONGS_TO_WORKSPACE)})`;
}

/** Returns the condition that an account administers a workspace. */
export function administers(userId: string, workspaceId: number): RawBuilder<SqlBool> {
  return sql`exists (select from ${sql.raw(ACCOUNTS)}
    where u.id = ${userId} and h.id = ${workspaceId} and ${sql.raw(ADMINISTERS_WORKSPACE)})`;
}

/** Mailboxes `b` with the accounts `r` that may read them as long as they belong to the mailbox's workspace, which is checked separately. */
export const MAILBOX_MEMBERS = `mailboxes b
  join mailbox_members r on r.workspace_id = b.workspace_id and r.mailbox_id = b.id`;

/** Mailboxes `b` with their readers `r`, who must belong to the mailbox's workspace. `r.can_write`: may also send from it. */
export const MAILBOX_READERS = `${MAILBOX_MEMBERS} and ${belongs('r.user_id', 'b.workspace_id')}`;

/**
 * Selects the calendars that an account may open in a workspace, with its access level: its own, and those shared with it.
 * Empty when the account does not belong to the workspace. In a statement on several firms, `firms` is the parameter with their ids: Citus
 * finds the servers by it.
 */
export function calendarsOf(user: string, workspace: string, firms?: string): string {
  const isMember = belongs(user, workspace);
  const isOf = (column: string) =>
    `${column} = ${workspace}${firms === undefined ? '' : ` and ${column} = any(${firms})`}`;
  return `
    select c.id, c.name, c.color, c.owner_id, 'owner' as level
    from calendars c where c.owner_id = ${user} and ${isOf('c.workspace_id')} and ${isMember}
    union all
    select c.id, c.name, c.color, c.owner_id, s.level
    from calendar_shares s join calendars c on c.workspace_id = s.workspace_id and c.id = s.calendar_id
    where ${isOf('s.workspace_id')} and ${isOf('c.workspace_id')} and s.user_id = ${user} and c.owner_id <> ${user} and ${isMember}`;
}
