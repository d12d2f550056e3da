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

/** How a link reaches the invited person: in a mail to the address, which shows that its bearer reads it, or by the one who invites. */
export type InviteWay = 'mail' | 'copy';
const ways: readonly InviteWay[] = ['mail', 'copy'];

/** Returns the link with which an invite is accepted. Its key is behind `#`, so that no server and no log gets it. */
export async function inviteUrl(
  { secret, publicUrl }: Pick<Services, 'secret' | 'publicUrl'>,
  invite: InviteInFirm,
  way: InviteWay,
): Promise<string> {
  const key = keyOf(await secret.current(), invite, way).toString('base64url');
  return `${publicUrl()}/join/${invite.workspace.slug}/${invite.id}#${key}`;
}

/** Returns by which way the link with a key was given out; null for a key of no link of the invite. */
export async function wayOfInviteKey(
  { secret }: Pick<Services, 'secret'>,
  invite: InviteInFirm,
  key: string,
): Promise<InviteWay | null> {
  const given = Buffer.from(key, 'base64url');
  const isMeant = (wanted: Buffer) => given.length === wanted.length && timingSafeEqual(given, wanted);
  return secret.verify((current) => ways.find((way) => isMeant(keyOf(current, invite, way))) ?? null);
}

function keyOf(secret: KeyObject, { workspace, id }: InviteInFirm, way: InviteWay): Buffer {
  // Links from before there were two ways count as copied.
  const purpose = way === 'mail' ? 'mailed invite' : 'invite';
  return createHmac('sha256', secret).update(`${purpose} ${workspace.id} ${id}`).digest();
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
