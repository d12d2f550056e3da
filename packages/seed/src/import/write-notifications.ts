import { randomUUID } from 'node:crypto';
import type { SeedRecord } from '../schema.ts';
import { type ImportContext, person, timestampOf, workspaceId } from './context.ts';
import { idAt } from './ids.ts';
import { insertRows } from './insert-rows.ts';

export async function writeDevices(
  ctx: ImportContext,
  devices: readonly SeedRecord<'devices'>[],
): Promise<void> {
  const now = ctx.now.toISOString();
  const rows = devices.map((device) => ({
    ...ownerOf(ctx, device.token),
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

/** Returns the session of a registration, and the account and firm of the session. */
function ownerOf({ tokens }: ImportContext, key: string) {
  const { id, userId, workspaceId } = tokens.get(key)!;
  return { token_id: id, user_id: userId, workspace_id: workspaceId };
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
    person_id: notification.person == null ? null : person(ctx, notification.person).id,
    title: notification.title,
    body: notification.body ?? null,
    action_url: notification.action_url,
    read_at: timestampOf(ctx, notification.read_at),
    created_at: timestampOf(ctx, notification.created_at),
  }));
  await insertRows(ctx.sql, 'notifications', rows);
  for (const [i, { key }] of notifications.entries()) ctx.idMap.set('notifications', key, rows[i]!.id);
}

export async function writePreRegistrations(
  ctx: ImportContext,
  preRegistrations: readonly SeedRecord<'pre_registrations'>[],
): Promise<void> {
  const rows = preRegistrations.map((preRegistration) => {
    const createdAt = timestampOf(ctx, preRegistration.created_at);
    return {
      id: preRegistration.id ?? idAt('preRegistration', createdAt),
      workspace_id: workspaceId(ctx, preRegistration.firm),
      email: preRegistration.email,
      referral_code: preRegistration.referral_code,
      // Without a URL in the file, the link is a path.
      referral_url: preRegistration.referral_url ?? `/r/${encodeURIComponent(preRegistration.referral_code)}`,
      status: preRegistration.status,
      source: preRegistration.source,
      metadata: preRegistration.metadata,
      created_at: createdAt,
      expires_at: timestampOf(ctx, preRegistration.expires_at),
      claimed_at: timestampOf(ctx, preRegistration.claimed_at),
      last_sent_at: timestampOf(ctx, preRegistration.last_sent_at) ?? createdAt,
    };
  });
  await insertRows(ctx.sql, 'affiliate_pre_registrations', rows);
  for (const [i, { key }] of preRegistrations.entries()) ctx.idMap.set('pre_registrations', key, rows[i]!.id);
}
