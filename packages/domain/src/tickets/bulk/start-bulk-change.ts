import {
  type BulkChange,
  MAX_BULK_CHANGES,
  MAX_BULK_TICKETS,
  type StartBulkChangeInput,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { enqueue } from '../../platform/jobs/jobs.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import { newId } from '../../platform/process/ids.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { findTicketIds } from '../list/list-tickets.ts';
import { BulkChangeBatch, BulkChange as BulkChangeEntity } from './bulk-change.entity.ts';
import { runBulkChangeJob, toBulkChange } from './bulk-change.ts';
import { findAction, readActionTargets } from './ticket-action.ts';

type Input = z.infer<typeof StartBulkChangeInput>;

/** The tickets of one transaction. Replies and edits of the team wait for the lock of a ticket at most as long as it takes. */
export const BATCH_TICKETS = 100;

/** Returns the ids of the tickets to change. Throws `validation_failed` if more match the filter than can be changed at once. */
export async function selectTickets(
  ctx: AccountContext,
  { tickets, filter, except }: Input,
): Promise<string[]> {
  if (!filter) return [...new Set(tickets)].sort();
  const excluded = new Set(except);
  const limit = MAX_BULK_TICKETS + excluded.size + 1;
  const found = await findTicketIds(ctx, filter, limit);
  const ids = found.filter((id) => !excluded.has(id));
  if (ids.length > MAX_BULK_TICKETS) {
    const most = MAX_BULK_TICKETS.toLocaleString('en');
    throw invalidField('filter', `must match at most ${most} tickets: add a filter`);
  }
  return ids.sort();
}

/**
 * Starts a change of many tickets, which a job makes in batches. Throws `validation_failed` for an agent, team or tag that is not of the
 * firm, and `rate_limited` while the account has {@link MAX_BULK_CHANGES} unfinished ones.
 */
export async function startBulkChange(
  ctx: AccountContext,
  { action }: Input,
  tickets: readonly string[],
): Promise<BulkChange> {
  const { em, workspace, identity, now } = ctx;
  if (!findAction(action, await readActionTargets(ctx, workspace.id, [action])))
    throw invalidField(`action.${targetField(action)}`, `must be the id of ${targetName(action)}`);
  await checkUnfinished(ctx);
  const change = em.create(BulkChangeEntity, {
    workspaceId: workspace.id,
    id: newId('bulkChange', now),
    userId: identity.user.id,
    action,
    state: tickets.length > 0 ? 'running' : 'done',
    tickets: tickets.length,
    createdAt: now,
    endedAt: tickets.length > 0 ? null : now,
  });
  await em.flush();
  if (tickets.length === 0) return toBulkChange(change);
  const { id } = change;
  for (let position = 0; position * BATCH_TICKETS < tickets.length; position++)
    em.create(BulkChangeBatch, {
      workspaceId: workspace.id,
      bulkChangeId: id,
      position,
      tickets: tickets.slice(position * BATCH_TICKETS, (position + 1) * BATCH_TICKETS),
    });
  await enqueue(ctx, runBulkChangeJob, { workspace: workspace.id, id });
  return toBulkChange(change);
}

/** Starts of one account wait for each other here, until their transactions end: otherwise two could count the same changes. */
async function checkUnfinished({ db, workspace, identity }: AccountContext): Promise<void> {
  const lock = `bulk_changes ${workspace.id} ${identity.user.id}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(db);
  const { rows } = await sql`
    select from bulk_changes
    where workspace_id = ${workspace.id} and user_id = ${identity.user.id} and ended_at is null`.execute(db);
  if (rows.length < MAX_BULK_CHANGES) return;
  throw new ApiError('rate_limited', {
    message: `You have ${MAX_BULK_CHANGES} bulk changes that are not finished. Wait until one has ended.`,
    retryAfterSeconds: 10,
    limit: 'bulk_changes_per_account',
  });
}

function targetField({ set }: Input['action']): string {
  return set === 'add_tag' || set === 'remove_tag' ? 'tag' : set;
}

function targetName({ set }: Input['action']): string {
  if (set === 'assignee') return 'an agent of this firm who may answer tickets';
  return set === 'team' ? 'a team of this firm' : 'a tag of this firm';
}
