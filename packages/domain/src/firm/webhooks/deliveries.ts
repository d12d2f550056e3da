import type {
  ListWebhookDeliveriesInput,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookDeliveryWithBody,
  WebhookEvent,
} from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { ApiError } from '../../platform/process/errors.ts';
import { runSearch } from '../../platform/search/run-search.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { enqueueDeliveries, webhookBody } from '../../webhooks/index.ts';
import { readEndpoint } from './list-endpoints.ts';
import { visibleEvents } from './visible-events.ts';

interface Row extends Omit<WebhookDelivery, 'object' | 'next_attempt_at'> {
  /** A position is a `bigint`. */
  at_position: string;
  due_at: string;
}

/**
 * Returns a page of the firm's deliveries, in the order of their events. Throws `resource_not_found` for an unknown endpoint; with a text,
 * `unavailable` and `rate_limited` as other searches.
 */
export async function listDeliveries(
  ctx: AccountContext,
  { endpoint, state, type, q, sort, limit, starting_after }: z.output<typeof ListWebhookDeliveriesInput>,
): Promise<z.input<typeof WebhookDeliveryPage>> {
  if (endpoint !== undefined) await readEndpoint(ctx, endpoint);
  const conditions = [sql`type = any(${await visibleEvents(ctx)}::text[])`];
  if (endpoint !== undefined) conditions.push(sql`endpoint_id = ${endpoint}`);
  if (state !== undefined) conditions.push(sql`state = ${state}`);
  if (type !== undefined) conditions.push(sql`type = ${type}`);
  if (q) conditions.push(has(q));
  if (starting_after !== undefined) {
    const [position, id] = starting_after.split('.');
    const after = sql.raw(sort === 'created_at' ? '>' : '<');
    conditions.push(sql`(position, id) ${after} (${position!}::bigint, ${id!})`);
  }
  const query = select(ctx, sql.join(conditions, sql` and `), limit + 1, sort);
  const { sql: text, parameters } = query.compile(ctx.db);
  const { rows } = q
    ? await runSearch(ctx.services, ctx.identity.user.id, (pool) =>
        pool.query<Row>({ text, values: [...parameters] }),
      )
    : await query.execute(ctx.db);
  const data = rows.slice(0, limit);
  const last = rows.length > limit ? data.at(-1)! : null;
  return {
    data: data.map(toDelivery),
    meta: { has_more: last !== null, next_cursor: last && `${last.at_position}.${last.id}` },
  };
}

/** Returns a delivery with its body. Throws `resource_not_found`, also for an event of what the caller may not see. */
export async function getDelivery(
  ctx: AccountContext,
  id: string,
): Promise<z.infer<typeof WebhookDeliveryWithBody>> {
  const { db, workspace, identity } = ctx;
  const row = await find(ctx, id);
  const { rows } = await sql<{ data: WebhookEvent['data']; created_at: string }>`
    select data, created_at from webhook_events
    where workspace_id = ${workspace.id} and id = ${row.event}`.execute(db);
  const { data, created_at } = rows[0]!;
  const event = { event_id: row.event, type: row.type, event_at: created_at, data };
  const { slug } = workspace;
  return { ...toDelivery(row), body: webhookBody({ slug, environment: identity.environment }, event) };
}

/** Begins a delivery anew, as for a new event, with the same id. Throws `resource_not_found`. */
export async function replayDelivery(ctx: AccountContext, id: string): Promise<WebhookDelivery> {
  const { db, workspace, now } = ctx;
  const { endpoint } = await find(ctx, id);
  const at = now.toISOString();
  await sql`
    update webhook_deliveries set state = 'waiting', ended_at = null, attempts = attempts + 1, started_at = ${at},
      due_at = ${at}, leased_until = null
    where workspace_id = ${workspace.id} and id = ${id}`.execute(db);
  await enqueueDeliveries(ctx, { workspace: workspace.id, endpoint });
  return toDelivery(await find(ctx, id));
}

async function find(ctx: AccountContext, id: string): Promise<Row> {
  const visible = await visibleEvents(ctx);
  const { rows } = await select(ctx, sql`id = ${id} and type = any(${visible}::text[])`, 1).execute(ctx.db);
  const [row] = rows;
  if (!row) throw new ApiError('resource_not_found');
  return row;
}

/** Whether each word of a text is a part of what a delivery is about, in the words of the API, or of its result. */
function has(q: string): RawBuilder<unknown> {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const all = sql`lower(concat_ws(' ', type, translate(type, '._', '  '), subject, event_id, state, status, detail))`;
  return sql`not exists (select from unnest(${words}::text[]) as word where strpos(${all}, word) = 0)`;
}

function select(
  { workspace }: AccountContext,
  condition: RawBuilder<unknown>,
  limit: number,
  sort: '-created_at' | 'created_at' = '-created_at',
): RawBuilder<Row> {
  const direction = sql.raw(sort === 'created_at' ? 'asc' : 'desc');
  return sql<Row>`
    select id, endpoint_id as endpoint, event_id as event, type, subject, state, attempts, status, detail, created_at, due_at, ended_at,
      position::text as at_position
    from webhook_deliveries where workspace_id = ${workspace.id} and ${condition}
    order by position ${direction}, id ${direction} limit ${limit}`;
}

function toDelivery({ at_position: _, due_at, ...row }: Row): WebhookDelivery {
  return { object: 'webhook_delivery', ...row, next_attempt_at: row.state === 'waiting' ? due_at : null };
}
