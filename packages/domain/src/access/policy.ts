/**
 * Who may do what, as SQL: the one home of these rules. A right is read where it is used, in the statement that uses it, so
 * that it ends for every path at once when somebody is dismissed.
 *
 * The fragments speak of rows by fixed names: `t` a token, `u` its account, `w` its workspace, `m` the membership of the one in
 * the other. In Kysely, wrap them in `sql.raw`.
 */
import { type Permission, PLATFORM, TOKEN_IDLE_DAYS } from '@firmdesk/contract';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** `t`, `u`, `w` and `m` of tokens; `m` is null where there is no membership. */
export const TOKENS = `tokens t
  join users u on u.id = t.user_id
  join workspaces w on w.id = t.workspace_id
  left join memberships m on m.workspace_id = t.workspace_id and m.user_id = t.user_id`;

/** A token is live at the moment `now`: not revoked, not expired, not idle, and its account is not deleted. */
export function isLive(now: string): string {
  return `(t.revoked_at is null and u.deleted_at is null and (t.expires_at is null or t.expires_at > ${now})
    and coalesce(t.last_used_at, t.created_at) > ${now} - interval '${TOKEN_IDLE_DAYS * 24} hours')`;
}

/** {@link isLive} at a known moment. */
export function isLiveAt(now: Date): RawBuilder<SqlBool> {
  return sql.raw(isLive(`'${now.toISOString()}'::timestamptz`));
}

/** Of the service's own staff. */
export const IS_STAFF = '(u.is_staff and u.deleted_at is null)';
/** An active member of the firm, whatever the role. */
export const IS_MEMBER = '(m.active and u.deleted_at is null)';
/** Helps run the firm. */
export const IS_ADMIN = `(m.role = 'admin' and ${IS_MEMBER})`;
/** Helps run the firm and has a permission. */
export function isPermitted(permission: Permission): string {
  return `(${IS_ADMIN} and '${permission}' = any(m.permissions))`;
}
/** Helps run the firm and may see its tickets. */
export const IS_AGENT = isPermitted('view_tickets');

/** Belongs to the workspace: an active member of a firm; on the platform, of the staff. */
export const BELONGS = `case when w.slug = '${PLATFORM}' then ${IS_STAFF} else coalesce(${IS_MEMBER}, false) end`;
/** Helps run the workspace: an administrator of a firm; on the platform, of the staff. */
export const HELPS_RUN = `case when w.slug = '${PLATFORM}' then ${IS_STAFF} else coalesce(${IS_ADMIN}, false) end`;

/** Of the staff, and permitted to act in the firm `f`. */
export const MAY_ACT_IN_WORKSPACE = `(f.slug <> '${PLATFORM}' and ${IS_STAFF} and (u.staff_of_all_firms
  or exists (select from staff_firms s where s.user_id = u.id and s.workspace_id = f.id)))`;

const ACCOUNTS = `users u cross join workspaces w
  left join memberships m on m.workspace_id = w.id and m.user_id = u.id`;

/** Whether an account belongs to a workspace: expressions for their ids, which may not name `u`, `w` or `m`. */
export function belongs(user: string, workspace: string): string {
  return `exists (select from ${ACCOUNTS} where u.id = ${user} and w.id = ${workspace} and ${BELONGS})`;
}

/** {@link belongs} for known ids; looked up once per statement. */
export function belongsTo(userId: string, workspaceId: number): RawBuilder<SqlBool> {
  return sql`exists (select from ${sql.raw(ACCOUNTS)}
    where u.id = ${userId} and w.id = ${workspaceId} and ${sql.raw(BELONGS)})`;
}

/** Mailboxes `b` and those who read them `r`, who must belong to the mailbox's workspace. `r.can_write`: may write from it. */
export const MAILBOX_READERS = `mailboxes b
  join mailbox_members r on r.mailbox_id = b.id and ${belongs('r.user_id', 'b.workspace_id')}`;

/**
 * The calendars that an account may open in a workspace, each with the account's level there: its own, and those shared with
 * it. None where it does not belong to the workspace.
 */
export function calendarsOf(user: string, workspace: string): string {
  const isMember = belongs(user, workspace);
  return `
    select c.id, c.name, c.owner_id, 'owner' as level
    from calendars c where c.owner_id = ${user} and c.workspace_id = ${workspace} and ${isMember}
    union all
    select c.id, c.name, c.owner_id, s.level
    from calendar_shares s join calendars c on c.id = s.calendar_id
    where s.user_id = ${user} and c.workspace_id = ${workspace} and c.owner_id <> ${user} and ${isMember}`;
}
