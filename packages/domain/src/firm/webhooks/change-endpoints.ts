import { randomBytes } from 'node:crypto';
import {
  type CreateWebhookEndpointInput,
  MAX_WEBHOOK_ENDPOINTS,
  type RotateWebhookSecretInput,
  type UpdateWebhookEndpointInput,
  type WebhookEndpoint,
  type WebhookEndpointWithSecret,
  type WebhookEventType,
} from '@firmdesk/contract';
import { LockMode } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { z } from 'zod';
import { type AuditAction, recordAudit } from '../../access/audit/audit.ts';
import { MINUTE_MS } from '../../platform/process/clock.ts';
import { invalidField } from '../../platform/process/errors.ts';
import { newId } from '../../platform/process/ids.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import {
  checkWebhookUrl,
  enqueueDeliveries,
  WebhookEndpointEntity,
  webhookSecret,
} from '../../webhooks/index.ts';
import { beginChange } from '../firm-changes.ts';
import { listEndpoints, readEndpoint } from './list-endpoints.ts';
import { permissionFor, visibleEvents } from './visible-events.ts';

type EndpointWithSecret = z.infer<typeof WebhookEndpointWithSecret>;

const SECRET_BYTES = 32;

/** Creates an endpoint. Throws `validation_failed` for events of what the caller may not see. */
export async function createEndpoint(
  caller: AccountContext,
  { url, description, events }: z.output<typeof CreateWebhookEndpointInput>,
): Promise<EndpointWithSecret> {
  const ctx = await beginChange(caller, 'webhooks');
  await checkEvents(ctx, events);
  if ((await listEndpoints(ctx)).length >= MAX_WEBHOOK_ENDPOINTS)
    throw invalidField(
      'url',
      `must not be a further one: ${MAX_WEBHOOK_ENDPOINTS} endpoints exist. Delete one first`,
    );
  const { em, now, workspace, services } = ctx;
  const secret = randomBytes(SECRET_BYTES);
  const endpoint = em.create(WebhookEndpointEntity, {
    workspaceId: workspace.id,
    id: newId('webhookEndpoint', now),
    url: checkWebhookUrl(services, url),
    description,
    events,
    secret,
    createdAt: now,
  });
  await em.flush();
  await audit(ctx, 'webhook.created', endpoint.id, undefined, { events });
  return { ...(await readEndpoint(ctx, endpoint.id)), secret: webhookSecret(secret) };
}

/**
 * Changes an endpoint. One that is switched on gets what still waits for it. Throws `resource_not_found`, and `validation_failed` for events of
 * what the caller may not see.
 */
export async function updateEndpoint(
  caller: AccountContext,
  { id, url, description, events, enabled }: z.output<typeof UpdateWebhookEndpointInput>,
): Promise<WebhookEndpoint> {
  const ctx = await beginChange(caller, 'webhooks');
  const endpoint = await lock(ctx, id);
  const before = { events: endpoint.events };
  // A new address gets all events, so they must all be the caller's to see.
  const kept = url === undefined ? endpoint.events : [];
  await checkEvents(
    ctx,
    (events ?? endpoint.events).filter((type) => !kept.includes(type)),
  );
  if (url !== undefined) endpoint.url = checkWebhookUrl(ctx.services, url);
  if (description !== undefined) endpoint.description = description;
  if (events) endpoint.events = events;
  // A new address, or a repaired one, is tried at once.
  Object.assign(endpoint, { failingSince: null, pausedUntil: null });
  const isSwitched = enabled !== undefined && enabled !== (endpoint.disabled === null);
  if (isSwitched) endpoint.disabled = enabled ? null : 'member';
  await ctx.em.flush();
  if (isSwitched) await audit(ctx, enabled ? 'webhook.enabled' : 'webhook.disabled', id);
  if (events || url !== undefined || description !== undefined)
    await audit(ctx, 'webhook.changed', id, before, {
      events: endpoint.events,
      url_changed: url !== undefined,
    });
  if (endpoint.disabled === null) await sendNow(ctx, id);
  return readEndpoint(ctx, id);
}

/** Gives an endpoint a new secret. Until the overlap ends, deliveries are signed with both. Throws as {@link updateEndpoint}. */
export async function rotateSecret(
  caller: AccountContext,
  { id, overlap_hours }: z.output<typeof RotateWebhookSecretInput>,
): Promise<EndpointWithSecret> {
  const ctx = await beginChange(caller, 'webhooks');
  const endpoint = await lock(ctx, id);
  await checkEvents(ctx, endpoint.events);
  const secret = randomBytes(SECRET_BYTES);
  Object.assign(endpoint, {
    previousSecret: overlap_hours > 0 ? endpoint.secret : null,
    previousSecretUntil:
      overlap_hours > 0 ? new Date(ctx.now.getTime() + overlap_hours * 60 * MINUTE_MS) : null,
    secret,
  });
  await ctx.em.flush();
  await audit(ctx, 'webhook.rotated', id, undefined, { overlap_hours });
  return { ...(await readEndpoint(ctx, id)), secret: webhookSecret(secret) };
}

/** Deletes an endpoint with its deliveries. Throws `resource_not_found`. */
export async function deleteEndpoint(caller: AccountContext, { id }: { id: string }): Promise<void> {
  const ctx = await beginChange(caller, 'webhooks');
  ctx.em.remove(await lock(ctx, id));
  await ctx.em.flush();
  await audit(ctx, 'webhook.deleted', id);
}

/** Ends the pauses of what waits for an endpoint. */
async function sendNow(ctx: AccountContext, endpoint: string): Promise<void> {
  const { db, workspace, now } = ctx;
  const at = now.toISOString();
  await sql`
    update webhook_deliveries set due_at = ${at}
    where workspace_id = ${workspace.id}
    and endpoint_id = ${endpoint} and state = 'waiting' and due_at > ${at}`.execute(db);
  await enqueueDeliveries(ctx, { workspace: workspace.id, endpoint });
}

/** Loads an endpoint and keeps its senders from changing it. */
function lock({ em, workspace }: AccountContext, id: string): Promise<WebhookEndpointEntity> {
  const key = { workspaceId: workspace.id, id };
  return em.findOneOrFail(WebhookEndpointEntity, key, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

async function checkEvents(ctx: AccountContext, types: readonly WebhookEventType[]): Promise<void> {
  const visible = await visibleEvents(ctx);
  const hidden = types.find((type) => !visible.includes(type));
  if (hidden)
    throw invalidField(
      'events',
      `must not contain "${hidden}", which needs the permission ${permissionFor(hidden)}`,
    );
}

function audit(
  ctx: AccountContext,
  action: Extract<AuditAction, `webhook.${string}`>,
  id: string,
  before?: Record<string, unknown>,
  after?: Record<string, unknown>,
): Promise<void> {
  const target = { type: 'webhook' as const, id };
  return recordAudit(ctx, ctx.workspace.id, {
    action,
    target,
    ...(before && { before }),
    ...(after && { after }),
  });
}
