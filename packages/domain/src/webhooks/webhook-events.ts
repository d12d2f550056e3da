import type { WebhookEvent, WebhookEventType } from '@firmdesk/contract';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { OperationContext } from '../platform/database/context.ts';
import { executeWrites } from '../platform/database/execute-writes.ts';
import { defineJob, jobWrite } from '../platform/jobs/jobs.ts';
import { newId } from '../platform/process/ids.ts';

/** Creates the deliveries of a firm's new events. */
export const dispatchEventsJob = defineJob('webhooks.dispatch', z.object({ workspace: z.int() }));

export interface NewWebhookEvent {
  type: WebhookEventType;
  /** The id of a ticket, a pre-registration or a message. Events of one subject are delivered in their order. */
  subject: string;
  /** Whom it is about: the id of an account, or an address. An erasure deletes the event. */
  person: string;
  data: WebhookEvent['data'];
}

/** Returns the condition that a firm has an endpoint to which events are sent. */
export function hasWebhooks(firm: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select from webhook_endpoints where workspace_id = ${firm} and disabled is null)`;
}

/**
 * Returns the writes that store events in the transaction of the change, for `executeWrites`: at least one event, of a firm that
 * {@link hasWebhooks}. Events of one subject must be written while a lock of the transaction keeps others from writing one.
 */
export function webhookWrites(
  ctx: OperationContext,
  workspaceId: number,
  events: readonly NewWebhookEvent[],
): RawBuilder<unknown>[] {
  const rows = events.map(
    ({ type, subject, person, data }) =>
      sql`(${workspaceId}::integer, ${newId('webhookEvent', ctx.now)}, ${type}, ${subject}, ${person.toLowerCase()},
        ${JSON.stringify(data)}::jsonb, ${ctx.now.toISOString()}::timestamptz)`,
  );
  return [
    sql`insert into webhook_events (workspace_id, id, type, subject, person, data, created_at) values ${sql.join(rows)}`,
    jobWrite(ctx, dispatchEventsJob, { workspace: workspaceId }, { key: `webhooks.dispatch ${workspaceId}` }),
  ];
}

/** The rows of one statement: PostgreSQL takes 65,535 values. */
const MAX_EVENTS = 1_000;

/** Stores events in the caller's transaction, if the firm {@link hasWebhooks}. `make` is called only then. */
export async function writeWebhookEvents(
  ctx: OperationContext,
  workspaceId: number,
  make: () => readonly NewWebhookEvent[] | Promise<readonly NewWebhookEvent[]>,
): Promise<void> {
  const { rows } = await sql<{ has_webhooks: boolean }>`
    select ${hasWebhooks(sql`${workspaceId}::integer`)} as has_webhooks`.execute(ctx.db);
  if (!rows[0]!.has_webhooks) return;
  const events = await make();
  for (let from = 0; from < events.length; from += MAX_EVENTS)
    await executeWrites(ctx.db, webhookWrites(ctx, workspaceId, events.slice(from, from + MAX_EVENTS)));
}
