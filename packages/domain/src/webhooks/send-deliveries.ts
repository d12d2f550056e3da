import { type TokenEnvironment, WEBHOOK_RETRY_DAYS, type WebhookEvent } from '@firmdesk/contract';
import { sql } from 'kysely';
import { recordAudit } from '../access/audit/audit.ts';
import { raiseNotification } from '../notifications/index.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { newContext, withTransaction } from '../platform/database/transaction.ts';
import type { Services } from '../platform/services.ts';
import {
  endpointPause,
  type LeasedDelivery,
  leaseDeliveries,
  msUntilNext,
  RETRY_MS,
  saveOutcome,
} from './deliveries.ts';
import { enqueueDeliveries, type SendDeliveries } from './dispatch-events.ts';
import { type AttemptOutcome, postEvent } from './post-event.ts';

/** The attempts at once of one endpoint. */
const CONCURRENT = 4;
/** After this time a run leaves the rest to another one, so that other jobs get their turn. */
const RUN_MS = 15_000;
/** The endpoints that a process serves at once, so that those that answer nothing leave room for other jobs. */
const MAX_RUNS = 40;
/** The pause before a run that found no room. */
const NO_ROOM_MS = 1_000;

interface Endpoint {
  url: string;
  secrets: Buffer[];
  slug: string;
  environment: TokenEnvironment;
}

/**
 * Handles `sendDeliveriesJob`: sends what is due to an endpoint, and requests the run for the next attempt. If the process ends between an answer and
 * its record, the event is sent again, with the same id.
 */
export async function sendDeliveries(
  services: Services,
  job: SendDeliveries,
  signal?: AbortSignal,
): Promise<void> {
  if (services.webhooks.running >= MAX_RUNS) {
    await withTransaction(services, (ctx) => enqueueDeliveries(ctx, job, NO_ROOM_MS));
    return;
  }
  services.webhooks.running++;
  try {
    await services.firmServers.run(job.workspace, () => sendDue(services, job, signal));
  } finally {
    services.webhooks.running--;
  }
  await withTransaction(services, async (ctx) => {
    const ms = await msUntilNext(ctx, job);
    if (ms !== null) await enqueueDeliveries(ctx, job, Math.max(ms, 0));
  });
}

async function sendDue(
  services: Services,
  job: SendDeliveries,
  signal: AbortSignal | undefined,
): Promise<void> {
  const until = performance.now() + RUN_MS;
  while (performance.now() < until && !signal?.aborted) {
    const endpoint = await findEndpoint(services, job);
    if (!endpoint) return;
    const leased = await leaseDeliveries(newContext(services), job, CONCURRENT);
    if (leased.length === 0) return;
    const results = await Promise.allSettled(
      leased.map((delivery) => attempt(services, job, endpoint, delivery, signal)),
    );
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    const outcomes = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    await withTransaction(services, (ctx) => noteHealth(ctx, job, endpoint, outcomes));
  }
}

/** Returns the endpoint, unless it was deleted, switched off or is paused. */
async function findEndpoint(
  services: Services,
  { workspace, endpoint }: SendDeliveries,
): Promise<Endpoint | null> {
  const { db, now } = newContext(services);
  const at = now.toISOString();
  const { rows } = await sql<{
    url: string;
    secret: Buffer;
    previous: Buffer | null;
    slug: string;
    is_sandbox: boolean;
  }>`
    select e.url, e.secret, case when e.previous_secret_until > ${at} then e.previous_secret end as previous,
      w.slug, w.sandbox_of is not null as is_sandbox
    from webhook_endpoints e join workspaces w on w.id = e.workspace_id
    where e.workspace_id = ${workspace} and e.id = ${endpoint} and e.disabled is null
      and (e.paused_until is null or e.paused_until <= ${at})`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { url, slug, secret, previous, is_sandbox } = row;
  const secrets = previous ? [secret, previous] : [secret];
  return { url, slug, secrets, environment: is_sandbox ? 'test' : 'live' };
}

async function attempt(
  services: Services,
  { workspace }: SendDeliveries,
  { url, secrets, ...firm }: Endpoint,
  delivery: LeasedDelivery,
  signal: AbortSignal | undefined,
): Promise<AttemptOutcome> {
  const body = webhookBody(firm, delivery);
  const outcome = await postEvent(services, url, { id: delivery.event_id, body, secrets }, signal);
  await saveOutcome(newContext(services), workspace, delivery, outcome);
  return outcome;
}

/** Returns the body of a webhook: the same at each attempt. */
export function webhookBody(
  { slug, environment }: { slug: string; environment: TokenEnvironment },
  { event_id, type, event_at, data }: Pick<LeasedDelivery, 'event_id' | 'type' | 'event_at' | 'data'>,
): string {
  const event = {
    object: 'event',
    id: event_id,
    type,
    created_at: event_at,
    workspace: slug,
    environment,
    data,
  } as WebhookEvent;
  return JSON.stringify(event);
}

/** Pauses an endpoint that accepts nothing, and switches it off after three days without an accepted delivery. */
async function noteHealth(
  ctx: OperationContext,
  { workspace, endpoint }: SendDeliveries,
  { url, slug }: Endpoint,
  outcomes: readonly AttemptOutcome[],
): Promise<void> {
  const { db, now } = ctx;
  const ofEndpoint = sql`workspace_id = ${workspace} and id = ${endpoint}`;
  if (outcomes.some(({ isAccepted }) => isAccepted)) {
    await sql`
      update webhook_endpoints set failing_since = null, paused_until = null
      where ${ofEndpoint} and failing_since is not null`.execute(db);
    return;
  }
  const { rows } = await sql<{ failing_since: string }>`
    update webhook_endpoints set failing_since = coalesce(failing_since, ${now.toISOString()})
    where ${ofEndpoint} and disabled is null returning failing_since`.execute(db);
  const [row] = rows;
  if (!row) return;
  const failingMs = now.getTime() - Date.parse(row.failing_since);
  if (failingMs < RETRY_MS) {
    const until = new Date(now.getTime() + endpointPause(failingMs)).toISOString();
    await sql`update webhook_endpoints set paused_until = ${until} where ${ofEndpoint}`.execute(db);
    return;
  }
  await sql`update webhook_endpoints set disabled = 'failing' where ${ofEndpoint}`.execute(db);
  await recordAudit(ctx, workspace, {
    action: 'webhook.disabled',
    target: { type: 'webhook', id: endpoint },
    after: { disabled: 'failing' },
  });
  await raiseNotification(ctx, {
    workspace: { id: workspace, slug },
    kind: 'webhook_disabled',
    title: `Webhook switched off: ${new URL(url).host}`,
    body: `It has accepted no event for ${WEBHOOK_RETRY_DAYS} days. Repair it, then switch it on in the settings.`,
    actionUrl: '/settings/webhooks',
  });
}
