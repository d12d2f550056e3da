import type { BulkSkipReason, LostRight } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { describeLostRight, findLostRight } from '../../access/lost-right.ts';
import { firmIdOf, MAY_ANSWER } from '../../access/policy.ts';
import { storeNotifications } from '../../notifications/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { enqueue } from '../../platform/jobs/jobs.ts';
import type { Services } from '../../platform/services.ts';
import { lockTickets } from '../ticket-state.ts';
import { type BulkChangeRow, lockBulkChange, lockUnfinished, runBulkChangeJob } from './bulk-change-row.ts';
import {
  applyAction,
  inverseAction,
  readActionTargets,
  type TicketAction,
  undoAction,
} from './ticket-action.ts';

/** After this many batches a job requests the next one, so that bulk changes take turns with other jobs. */
const BATCHES_PER_JOB = 20;

/** A ticket that a batch has changed, and the action that undoes it. */
type Changed = [ticket: string, inverse: TicketAction];
type Skipped = [ticket: string, reason: BulkSkipReason];

interface Batch {
  position: number;
  tickets: string[];
  changed: Changed[] | null;
  skipped: Skipped[] | null;
}

/**
 * Handles {@link runBulkChangeJob}: changes the tickets of a bulk change batch by batch, or undoes that, each batch in a transaction
 * that also records its result. So a job that is repeated after a crash continues with the next batch. Each batch checks that the account
 * for which it runs may still change tickets; if not, the bulk change stops.
 */
export async function runBulkChange(
  services: Services,
  payload: z.infer<(typeof runBulkChangeJob)['payload']>,
  signal?: AbortSignal,
): Promise<void> {
  for (let count = 1; ; count++) {
    const isLast = count === BATCHES_PER_JOB || signal?.aborted === true;
    const hasMore = await withTransaction(services, async (ctx) => {
      const hasMore = await runNextBatch(ctx, payload);
      if (hasMore && isLast) await enqueue(ctx, runBulkChangeJob, payload);
      return hasMore;
    });
    if (!hasMore || isLast) return;
  }
}

/** Runs the next batch of a bulk change. Returns whether there are more. */
async function runNextBatch(
  ctx: OperationContext,
  { workspace, id }: { workspace: number; id: string },
): Promise<boolean> {
  const row = await lockBulkChange(ctx, workspace, id);
  if (row?.state !== 'running' && row?.state !== 'undoing') return false;
  const actor = row.state === 'undoing' ? (row.undone_by ?? row.user_id) : row.user_id;
  const lost = await findLostRight(ctx, actor, workspace);
  if (lost !== null) {
    await stopBulkChange(ctx, row, lost);
    return false;
  }
  const isDue = row.state === 'running' ? sql`changed is null` : sql`changed is not null and not is_undone`;
  const { rows: batches } = await sql<Batch>`
    select position, tickets, changed, skipped from bulk_change_batches
    where workspace_id = ${workspace} and bulk_change_id = ${id} and ${isDue} order by position limit 2`.execute(
    ctx.db,
  );
  const [batch, next] = batches;
  if (batch && row.state === 'running') await changeBatch(ctx, row, batch);
  else if (batch) await undoBatch(ctx, row, batch);
  if (!next) await endBulkChange(ctx, row);
  return next !== undefined;
}

async function changeBatch(
  ctx: OperationContext,
  row: BulkChangeRow,
  { position, tickets }: Batch,
): Promise<void> {
  const { workspace_id, id, user_id, action } = row;
  const locked = await lockTickets(ctx, workspace_id, tickets);
  const targets = await readActionTargets(ctx, workspace_id, [action], tagsOf(action, locked));
  const changed: Changed[] = [];
  const skipped: Skipped[] = missing(tickets, locked);
  for (const each of locked) {
    const { ticket } = each;
    const reason = await applyAction(ctx, each, action, targets, user_id);
    if (reason === null) changed.push([ticket.id, inverseAction(action, ticket)]);
    else skipped.push([ticket.id, reason]);
  }
  const db = ctx.db;
  await sql`
    update bulk_change_batches set changed = ${JSON.stringify(changed)}::jsonb, skipped = ${JSON.stringify(skipped)}::jsonb
    where workspace_id = ${workspace_id} and bulk_change_id = ${id} and position = ${position}`.execute(db);
  await sql`
    update bulk_changes set changed = ${row.changed + changed.length}, skipped = ${row.skipped + skipped.length}
    where workspace_id = ${workspace_id} and id = ${id}`.execute(db);
}

async function undoBatch(ctx: OperationContext, row: BulkChangeRow, batch: Batch): Promise<void> {
  const { workspace_id, id, action } = row;
  const inverses = new Map(batch.changed);
  const locked = await lockTickets(ctx, workspace_id, [...inverses.keys()]);
  const targets = await readActionTargets(ctx, workspace_id, [...inverses.values()], tagsOf(action, locked));
  const skipped: Skipped[] = [...(batch.skipped ?? []), ...missing([...inverses.keys()], locked)];
  let undone = 0;
  for (const each of locked) {
    const inverse = inverses.get(each.ticket.id)!;
    const reason = await undoAction(ctx, each, { action, inverse }, targets, row.undone_by ?? row.user_id);
    if (reason === null) undone++;
    else skipped.push([each.ticket.id, reason]);
  }
  const db = ctx.db;
  await sql`
    update bulk_change_batches set is_undone = true, skipped = ${JSON.stringify(skipped)}::jsonb
    where workspace_id = ${workspace_id} and bulk_change_id = ${id} and position = ${batch.position}`.execute(
    db,
  );
  await sql`
    update bulk_changes set undone = ${row.undone + undone}
    where workspace_id = ${workspace_id} and id = ${id}`.execute(db);
}

async function endBulkChange(
  ctx: OperationContext,
  { workspace_id, id, state }: BulkChangeRow,
): Promise<void> {
  await sql`
    update bulk_changes set state = ${state === 'running' ? 'done' : 'undone'}, ended_at = ${ctx.now.toISOString()}
    where workspace_id = ${workspace_id} and id = ${id}`.execute(ctx.db);
}

/** Stops a bulk change, and notifies those who may undo it. */
export async function stopBulkChange(
  ctx: OperationContext,
  { workspace_id, id, tickets, changed, skipped }: BulkChangeRow,
  because: LostRight,
): Promise<void> {
  await sql`
    update bulk_changes set state = 'stopped', stopped_because = ${because}, ended_at = ${ctx.now.toISOString()}
    where workspace_id = ${workspace_id} and id = ${id}`.execute(ctx.db);
  const { rows } = await sql<{ user_id: string }>`
    select m.user_id from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${firmIdOf(workspace_id)} and ${sql.raw(MAY_ANSWER)} order by m.user_id`.execute(
    ctx.db,
  );
  const count = (changed + skipped).toLocaleString('en');
  await storeNotifications(
    ctx,
    {
      workspaceId: workspace_id,
      kind: 'ticket_awaiting_admin',
      title: 'A bulk change was stopped',
      body: `It was stopped after ${count} of ${tickets.toLocaleString('en')} tickets, because ${describeLostRight(because, 'the colleague for whom it ran')}. You can undo it.`,
      actionUrl: '/tickets',
    },
    rows.map(({ user_id }) => user_id),
  );
}

/** Stops the bulk changes of firms that were suspended while they ran. */
export async function stopBulkChangesOfResumed(
  ctx: OperationContext,
  workspaceIds: readonly number[],
): Promise<void> {
  for (const workspaceId of workspaceIds)
    for (const row of await lockUnfinished(ctx, workspaceId))
      await stopBulkChange(ctx, row, 'firm_suspended');
}

type Locked = Awaited<ReturnType<typeof lockTickets>>;

/** Returns the ids of the tickets' tags, for an action that changes tags. */
function tagsOf(action: TicketAction, locked: Locked): number[] {
  return 'tag' in action ? locked.flatMap(({ ticket }) => (ticket.tags ?? []).map(({ id }) => id)) : [];
}

function missing(ids: readonly string[], locked: Locked): Skipped[] {
  const found = new Set(locked.map(({ ticket }) => ticket.id));
  return ids.filter((id) => !found.has(id)).map((id) => [id, 'not_found']);
}
