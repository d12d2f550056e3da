import { sql } from 'kysely';
import { z } from 'zod';
import type { OperationContext } from '../platform/database/context.ts';
import { withTransaction } from '../platform/database/transaction.ts';
import { defineJob, enqueue } from '../platform/jobs/jobs.ts';
import { newId } from '../platform/process/ids.ts';
import type { Services } from '../platform/services.ts';

/** Sends the deliveries of an endpoint that are due. */
export const sendDeliveriesJob = defineJob(
  'webhooks.send',
  z.object({ workspace: z.int(), endpoint: z.string() }),
);
export type SendDeliveries = z.infer<(typeof sendDeliveriesJob)['payload']>;

/** The events of one transaction. */
const BATCH = 500;
/** Replies of the assistant and mail start before deliveries. */
const PRIORITY = 20;

/**
 * Requests that an endpoint's deliveries are sent. A later run has a key of its own, so that it never replaces one that is to begin now.
 */
export async function enqueueDeliveries(
  ctx: Pick<OperationContext, 'db' | 'services' | 'afterCommit'>,
  job: SendDeliveries,
  afterMs = 0,
): Promise<void> {
  const key = `webhooks.${afterMs > 0 ? 'later' : 'send'} ${job.endpoint}`;
  await enqueue(ctx, sendDeliveriesJob, job, { key, afterMs, priority: PRIORITY });
}

/** Handles `dispatchEventsJob`: creates a delivery of each new event for each endpoint that wants it. */
export async function dispatchEvents(
  services: Services,
  { workspace }: { workspace: number },
): Promise<void> {
  while (await services.firmServers.run(workspace, () => dispatchSome(services, workspace))) {}
}

/** Returns whether there may be more. */
function dispatchSome(services: Services, workspace: number): Promise<boolean> {
  return withTransaction(services, async (ctx) => {
    const { db } = ctx;
    const at = ctx.now.toISOString();
    // Without the lock, a later event of a subject could have its delivery before an earlier one.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${workspace}`}, 0))`.execute(db);
    const { rows: events } = await sql<{ id: string; position: string; type: string; subject: string }>`
      update webhook_events set is_dispatched = true
      where workspace_id = ${workspace} and not is_dispatched and position = any(array(
        select position from webhook_events where workspace_id = ${workspace} and not is_dispatched
        order by position limit ${BATCH}))
      returning id, position::text, type, subject`.execute(db);
    if (events.length === 0) return false;
    const { rows: endpoints } = await sql<{ id: string; events: string[] }>`
      select id, events from webhook_endpoints
      where workspace_id = ${workspace} and disabled is null`.execute(db);
    for (const endpoint of endpoints) {
      const wanted = events.filter(({ type }) => endpoint.events.includes(type));
      if (wanted.length === 0) continue;
      // Due at once also by the clock of another process, or after this one's was set back.
      const rows = wanted.map(
        ({ id, position, type, subject }) =>
          sql`(${workspace}::integer, ${newId('webhookDelivery', ctx.now)}, ${endpoint.id}, ${id}, ${position}::bigint, ${type}, ${subject},
            ${at}::timestamptz, ${at}::timestamptz, least(${at}::timestamptz, now()))`,
      );
      await sql`
        insert into webhook_deliveries (workspace_id, id, endpoint_id, event_id, position, type, subject, created_at, started_at, due_at)
        values ${sql.join(rows)} on conflict (workspace_id, event_id, endpoint_id) do nothing`.execute(db);
      await enqueueDeliveries(ctx, { workspace, endpoint: endpoint.id });
    }
    return events.length === BATCH;
  });
}
