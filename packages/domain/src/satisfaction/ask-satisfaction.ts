import { sql } from 'kysely';
import { z } from 'zod';
import { queueSystemMail } from '../mail/index.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { withTransaction } from '../platform/database/transaction.ts';
import { defineJob } from '../platform/jobs/jobs.ts';
import { isServed } from '../platform/jobs/suspended-firms.ts';
import { DAY_MS, MINUTE_MS } from '../platform/process/clock.ts';
import type { Services } from '../platform/services.ts';

/** Asks the traders of all firms. */
export const askSatisfactionJob = defineJob('satisfaction.ask', z.object({}));

/** A resolution can be undone, so the trader is not asked at once. */
const WAIT_MS = 30 * MINUTE_MS;
/** Nobody is asked about a ticket that was resolved longer ago. */
const LATE_MS = 2 * DAY_MS;
/** The tickets of one transaction. */
const BATCH = 50;

/** Handles {@link askSatisfactionJob}. Test data asks nobody. A firm that fails does not delay the others. */
export async function askSatisfaction(services: Services): Promise<void> {
  const { rows } = await services.pool.query<{ id: number }>(
    `select w.id from workspaces w where w.asks_satisfaction and w.sandbox_of is null and ${isServed('w.id')}`,
  );
  const failures: unknown[] = [];
  for (const { id } of rows) {
    try {
      const ask = () => withTransaction(services, (ctx) => askTraders(ctx, id));
      while ((await services.firmServers.run(id, ask)) === BATCH);
    } catch (error) {
      failures.push(error);
      services.log.error({ workspace: id, err: error }, 'the traders of a firm cannot be asked');
    }
  }
  if (failures.length > 0) throw failures[0];
}

interface ResolvedTicket {
  id: string;
  trader_id: string;
}

/** Asks the traders whose tickets were resolved with an answer, each once for a ticket. Returns how many tickets it found. */
async function askTraders(ctx: OperationContext, workspaceId: number): Promise<number> {
  const before = (ms: number) => new Date(ctx.now.getTime() - ms).toISOString();
  const { rows } = await sql<ResolvedTicket>`
    select t.id, t.trader_id from tickets t
    join users u on u.id = t.trader_id and u.deleted_at is null
    join memberships m on m.workspace_id = ${workspaceId} and m.user_id = u.id and m.active
    where t.workspace_id = ${workspaceId} and t.status = 'resolved'
      and t.closed_at > ${before(LATE_MS)}::timestamptz and t.closed_at <= ${before(WAIT_MS)}::timestamptz
      and not exists (select from ticket_ratings r where r.workspace_id = ${workspaceId} and r.ticket_id = t.id)
      and exists (
        select from ticket_messages a where a.workspace_id = ${workspaceId} and a.ticket_id = t.id
          and a.from_kind in ('admin', 'ai') and not a.internal and not a.streaming)
    order by t.closed_at limit ${BATCH}`.execute(ctx.db);
  for (const ticket of rows) await askTrader(ctx, workspaceId, ticket);
  return rows.length;
}

async function askTrader(ctx: OperationContext, workspaceId: number, ticket: ResolvedTicket): Promise<void> {
  const asked = await sql`
    insert into ticket_ratings (workspace_id, ticket_id, asked_at)
    values (${workspaceId}, ${ticket.id}, ${ctx.now.toISOString()}) on conflict (workspace_id, ticket_id) do nothing
    returning ticket_id`.execute(ctx.db);
  // Another worker has asked.
  if (asked.rows.length === 0) return;
  await queueSystemMail(ctx, workspaceId, {
    kind: 'satisfaction',
    userId: ticket.trader_id,
    about: `satisfaction ${ticket.id}`,
    content: { ticket_id: ticket.id },
    sendUntil: new Date(ctx.now.getTime() + LATE_MS).toISOString(),
  });
}
