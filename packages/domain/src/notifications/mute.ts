import { type MuteInput, type NotificationMutes, notificationKinds } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { NotificationCentreContext } from './list-notifications.ts';
import { NotificationMute } from './notification.entity.ts';

/** Returns the kinds that the caller muted in the token's workspace, in the order of the contract. */
export async function listMutes({
  db,
  identity,
  workspace,
}: NotificationCentreContext): Promise<NotificationMutes> {
  const { rows } = await sql<{ kind: string }>`
    select kind from notification_mutes
    where workspace_id = ${workspace.id} and user_id = ${identity.user.id}`.execute(db);
  const muted = new Set(rows.map(({ kind }) => kind));
  return { object: 'notification_mutes', kinds: notificationKinds.filter((kind) => muted.has(kind)) };
}

/** Mutes or unmutes pushes of a kind for the caller, including pushes that are queued. Returns all muted kinds. */
export async function mute(
  ctx: NotificationCentreContext,
  { kind, muted }: z.output<typeof MuteInput>,
): Promise<NotificationMutes> {
  const { em, identity, workspace } = ctx;
  const key = { workspaceId: workspace.id, userId: identity.user.id, kind };
  if (muted) await em.upsert(NotificationMute, key);
  else await em.nativeDelete(NotificationMute, key);
  return listMutes(ctx);
}
