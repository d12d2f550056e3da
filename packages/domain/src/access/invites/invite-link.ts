import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { retentionOfFirmTable } from '../../platform/database/retention.ts';
import { DAY_MS } from '../../platform/process/clock.ts';
import type { Services } from '../../platform/services.ts';
import { IS_ADMIN, isPermitted, MAY_ACT_IN_WORKSPACE } from '../policy.ts';

export interface InviteInFirm {
  workspace: { id: number; slug: string };
  id: string;
}

/** Returns the link with which an invite is accepted. Its key is behind `#`, so that no server and no log gets it. */
export async function inviteUrl(
  { secret, publicUrl }: Pick<Services, 'secret' | 'publicUrl'>,
  invite: InviteInFirm,
): Promise<string> {
  const key = keyOf(await secret.current(), invite).toString('base64url');
  return `${publicUrl()}/join/${invite.workspace.slug}/${invite.id}#${key}`;
}

/** Returns whether a key is that of the invite's link. */
export async function isInviteKey(
  { secret }: Pick<Services, 'secret'>,
  invite: InviteInFirm,
  key: string,
): Promise<boolean> {
  const given = Buffer.from(key, 'base64url');
  const found = await secret.verify((current) => {
    const wanted = keyOf(current, invite);
    return given.length === wanted.length && timingSafeEqual(given, wanted) ? true : null;
  });
  return found ?? false;
}

function keyOf(secret: KeyObject, { workspace, id }: InviteInFirm): Buffer {
  return createHmac('sha256', secret).update(`invite ${workspace.id} ${id}`).digest();
}

/** The account `u` may give the permissions of the invite `i` in its firm `f`, where `m` is its membership: what it holds, as a member who manages members, or as staff. */
const MAY_INVITE = `(${MAY_ACT_IN_WORKSPACE} or (${IS_ADMIN} and ${isPermitted('manage_members')} and m.permissions @> i.permissions))`;

/** Returns the state of an invite `i` at a time, as people see it: with who made it (`u`), the firm (`f`) and the membership there (`m`). */
export function inviteStateAt(
  now: Date,
): RawBuilder<'pending' | 'accepted' | 'revoked' | 'expired' | 'withdrawn'> {
  return sql`case when i.state <> 'pending' then i.state when i.expires_at <= ${now.toISOString()} then 'expired'
    when not coalesce(${sql.raw(MAY_INVITE)}, false) then 'withdrawn' else 'pending' end`;
}

/** Invites `i`, with the firm `f`, who made them `u` and the membership `m` of that account in the firm. */
export const INVITES = `invites i join workspaces f on f.id = i.workspace_id join users u on u.id = i.invited_by
  left join memberships m on m.workspace_id = i.workspace_id and m.user_id = i.invited_by`;

export const inviteRetention = retentionOfFirmTable({
  kind: 'invites',
  keptMs: 30 * DAY_MS,
  since: 'since it could be accepted',
  table: 'invites',
  at: 'expires_at',
});
