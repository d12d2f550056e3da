/**
 * The rule of which kinds of notification an account may see: `notificationAudiences` as SQL. What raises, lists, counts, marks, streams
 * or pushes notifications uses it when it runs, so that their texts cannot be read any more when a permission has been revoked.
 */
import {
  type Audience,
  type NotificationKind,
  notificationAudiences,
  notificationKinds,
  PLATFORM,
} from '@firmdesk/contract';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { ACCOUNTS, IS_MEMBER, IS_STAFF, PERMISSIONS } from './policy.ts';

/** A row of each kind: with the permission that a member of the firm needs, if any, and whether it is for staff alone, or for one account. */
const KINDS = notificationKinds
  .map((kind) => {
    const audience: Audience = notificationAudiences[kind];
    const permission = 'permission' in audience ? `'${audience.permission}'` : 'null';
    return `('${kind}', ${permission}, ${audience.to === 'staff'}, ${audience.to === 'person'})`;
  })
  .join();

/**
 * The array of the kinds that the account `u`, with its membership `m` in the firm `w`, may see there. In `platform`, staff of some firms see what is
 * for them alone: other notices name any firm.
 */
export const VISIBLE_KINDS = `array(
  select k.kind from (values ${KINDS}) as k (kind, permission, is_for_staff, is_personal)
  where case when w.slug = '${PLATFORM}' then ${IS_STAFF} and (k.is_personal or u.staff_of_all_firms)
    when k.is_for_staff then false
    when k.permission is null then coalesce(${IS_MEMBER}, false)
    else k.permission = any(${PERMISSIONS}) end)`;

/** Returns {@link VISIBLE_KINDS} of an account in a workspace; PostgreSQL evaluates it once per statement. */
export function visibleKinds(userId: string, workspaceId: number): RawBuilder<NotificationKind[]> {
  return sql<NotificationKind[]>`(select ${sql.raw(VISIBLE_KINDS)} from ${sql.raw(ACCOUNTS)}
    where u.id = ${userId} and h.id = ${workspaceId})::text[]`;
}

/** Returns the condition that an account may see notifications of the kind in the column `kind`. */
export function isVisibleTo(userId: string, workspaceId: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`kind = any(${visibleKinds(userId, workspaceId)})`;
}
