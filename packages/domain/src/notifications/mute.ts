import { type MuteInput, type NotificationMutes, notificationKinds } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { sqlOf } from '../platform/database.ts';
import type { CentreContext } from './list-notifications.ts';

/** The kinds that the caller's phones are silent for, in the token's environment, in the order of the contract. */
export async function listMutes({ em, identity, workspace }: CentreContext): Promise<NotificationMutes> {
  const { rows } = await sql<{ kind: string }>`
    select kind from notification_mutes
    where workspace_id = ${workspace.id} and user_id = ${identity.user.id}`.execute(sqlOf(em));
  const muted = new Set(rows.map(({ kind }) => kind));
  return { object: 'notification_mutes', kinds: notificationKinds.filter((kind) => muted.has(kind)) };
}

/** Silences the caller's phones for a kind, or no longer; looked at when a push is sent. Returns what is muted then. */
export async function mute(
  ctx: CentreContext,
  { kind, muted }: z.output<typeof MuteInput>,
): Promise<NotificationMutes> {
  const { em, identity, workspace } = ctx;
  const change = muted
    ? sql`insert into notification_mutes (workspace_id, user_id, kind)
        values (${workspace.id}, ${identity.user.id}, ${kind}) on conflict do nothing`
    : sql`delete from notification_mutes
        where workspace_id = ${workspace.id} and user_id = ${identity.user.id} and kind = ${kind}`;
  await change.execute(sqlOf(em));
  return listMutes(ctx);
}
