import type { LostRight } from '@firmdesk/contract';
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
import { type BulkChange, BulkChangeBatch, type Changed, type Skipped } from './bulk-change.entity.ts';
import { lockBulkChange, lockUnfinished, runBulkChangeJob } from './bulk-change.ts';
import {
  applyAction,
  inverseAction,
  readActionTargets,
  type TicketAction,
  undoAction,
} from './ticket-action.ts';

/** After this many batches a job requests the next one, so that bulk changes take turns with other jobs. */
const BATCHES_PER_JOB = 20;

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
  const change = await lockBulkChange(ctx, workspace, id);
  if (change?.state !== 'running' && change?.state !== 'undoing') return false;
  const lost = await findLostRight(ctx, actorOf(change), workspace);
  if (lost !== null) {
    await stopBulkChange(ctx, change, lost);
    return false;
  }
  const isDue = change.state === 'running' ? { changed: null } : { changed: { $ne: null }, isUndone: false };
  const [batch, next] = await ctx.em.find(
    BulkChangeBatch,
    { workspaceId: workspace, bulkChangeId: id, ...isDue },
    { orderBy: { position: 'asc' }, limit: 2 },
  );
  if (batch && change.state === 'running') await changeBatch(ctx, change, batch);
  else if (batch) await undoBatch(ctx, change, batch);
  if (!next) {
    change.state = change.state === 'running' ? 'done' : 'undone';
    change.endedAt = ctx.now;
  }
  return next !== undefined;
}

/** Returns the account for which a bulk change runs. */
function actorOf({ state, userId, undoneBy }: BulkChange): string {
  return state === 'undoing' ? (undoneBy ?? userId) : userId;
}

async function changeBatch(ctx: OperationContext, change: BulkChange, batch: BulkChangeBatch): Promise<void> {
  const { workspaceId, action } = change;
  const locked = await lockTickets(ctx, workspaceId, batch.tickets);
  const targets = await readActionTargets(ctx, workspaceId, [action], tagsOf(action, locked));
  const changed: Changed[] = [];
  const skipped: Skipped[] = missing(batch.tickets, locked);
  for (const each of locked) {
    const { ticket } = each;
    const reason = await applyAction(ctx, each, action, targets, actorOf(change));
    if (reason === null) changed.push([ticket.id, inverseAction(action, ticket)]);
    else skipped.push([ticket.id, reason]);
  }
  batch.changed = changed;
  batch.skipped = skipped;
  change.changed += changed.length;
  change.skipped += skipped.length;
}

async function undoBatch(ctx: OperationContext, change: BulkChange, batch: BulkChangeBatch): Promise<void> {
  const { workspaceId, action } = change;
  const inverses = new Map(batch.changed);
  const locked = await lockTickets(ctx, workspaceId, [...inverses.keys()]);
  const targets = await readActionTargets(ctx, workspaceId, [...inverses.values()], tagsOf(action, locked));
  const skipped: Skipped[] = [...(batch.skipped ?? []), ...missing([...inverses.keys()], locked)];
  for (const each of locked) {
    const inverse = inverses.get(each.ticket.id)!;
    const reason = await undoAction(ctx, each, { action, inverse }, targets, actorOf(change));
    if (reason === null) change.undone++;
    else skipped.push([each.ticket.id, reason]);
  }
  batch.skipped = skipped;
  batch.isUndone = true;
}

/** Stops a bulk change, and notifies those who may undo it. */
export async function stopBulkChange(
  ctx: OperationContext,
  change: BulkChange,
  because: LostRight,
): Promise<void> {
  ctx.em.assign(change, { state: 'stopped', stoppedBecause: because, endedAt: ctx.now });
  const { workspaceId, tickets, changed, skipped } = change;
  const { rows } = await sql<{ user_id: string }>`
    select m.user_id from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${firmIdOf(workspaceId)} and ${sql.raw(MAY_ANSWER)}
    order by m.user_id`.execute(ctx.db);
  const count = (changed + skipped).toLocaleString('en');
  await storeNotifications(
    ctx,
    {
      workspaceId,
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
  for (const workspaceId of workspaceIds) {
    for (const change of await lockUnfinished(ctx, workspaceId))
      await stopBulkChange(ctx, change, 'firm_suspended');
    // A statement writes rows of one firm.
    await ctx.em.flush();
  }
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
