import { randomUUID } from 'node:crypto';
import type { SeedRecord } from '../schema.ts';
import { type ImportContext, moment, person, workspaceId } from './context.ts';
import { idAt } from './ids.ts';
import { insertRows } from './insert-rows.ts';

export async function writeDevices(
  ctx: ImportContext,
  devices: readonly SeedRecord<'devices'>[],
): Promise<void> {
  const now = ctx.now.toISOString();
  const rows = devices.map((device) => ({
    token_id: ctx.tokens.get(device.token)!,
    app: device.app,
    environment: device.environment,
    device_token: device.device_token.toLowerCase(),
    locale: device.locale ?? null,
    timezone: device.timezone ?? null,
    app_version: device.app_version ?? null,
    os_version: device.os_version ?? null,
    created_at: now,
    last_seen_at: now,
  }));
  await insertRows(ctx.sql, 'devices', rows);
}

export async function writeNotifications(
  ctx: ImportContext,
  notifications: readonly SeedRecord<'notifications'>[],
): Promise<void> {
  const rows = notifications.map((notification) => ({
    id: notification.id ?? randomUUID(),
    workspace_id: workspaceId(ctx, notification.firm),
    user_id: person(ctx, notification.user).id,
    kind: notification.kind,
    title: notification.title,
    body: notification.body ?? null,
    action_url: notification.action_url,
    read_at: moment(ctx, notification.read_at),
    created_at: moment(ctx, notification.created_at),
  }));
  await insertRows(ctx.sql, 'notifications', rows);
  for (const [i, { key }] of notifications.entries()) ctx.idMap.set('notifications', key, rows[i]!.id);
}

export async function writePreRegistrations(
  ctx: ImportContext,
  reservations: readonly SeedRecord<'pre_registrations'>[],
): Promise<void> {
  const rows = reservations.map((reservation) => {
    const createdAt = moment(ctx, reservation.created_at);
    return {
      id: reservation.id ?? idAt('preRegistration', createdAt),
      workspace_id: workspaceId(ctx, reservation.firm),
      email: reservation.email,
      referral_code: reservation.referral_code,
      // Without a URL in the file, the link is a path.
      referral_url: reservation.referral_url ?? `/r/${encodeURIComponent(reservation.referral_code)}`,
      status: reservation.status,
      source: reservation.source,
      metadata: reservation.metadata,
      created_at: createdAt,
      expires_at: moment(ctx, reservation.expires_at),
      claimed_at: moment(ctx, reservation.claimed_at),
      last_sent_at: moment(ctx, reservation.last_sent_at) ?? createdAt,
    };
  });
  await insertRows(ctx.sql, 'affiliate_pre_registrations', rows);
  for (const [i, { key }] of reservations.entries()) ctx.idMap.set('pre_registrations', key, rows[i]!.id);
}
