import type { Pool } from 'pg';
import type { Retention } from '../database/retention.ts';
import { allFirms } from '../distribution/all-firms.ts';

/** How long an event is stored. */
export const KEPT_HOURS = 24;

/** The events that {@link pruneLog} deletes at once. */
const BATCH = 1_000;
/** Later than every event, also of a fast clock. */
const ALWAYS = new Date('9999-01-01T00:00:00Z');

/** Deletes all events of a firm. Streams that have not read them, and clients that resume from before, get `resync`. Returns the number. */
export async function pruneLog(pool: Pool, workspaceId: number): Promise<number> {
  let count = 0;
  for (const prune of [prunePlaced, pruneUnplaced])
    for (let rows = BATCH; rows === BATCH; count += rows)
      rows = await prune(pool, workspaceId, ALWAYS, BATCH);
  return count;
}

/**
 * Prunes each firm's log in the order of positions, so that the rest has no gap: a row with a date that is too late, from a fast
 * clock, is deleted together with the older rows after it. The head stores the last deleted place.
 */
export const eventRetention: Retention = {
  kind: 'live_events',
  keptMs: KEPT_HOURS * 3_600_000,
  since: 'since it happened',
  oldest: (isAmong) => `select min(created_at) as at from event_log where ${isAmong('workspace_id')}`,
  async prune({ pool, firmServers }, before, limit) {
    const rows = await firmServers.readAll<{ workspace_id: number }>({
      text: (isAmong) => `${allFirms('retention')}
        select distinct workspace_id from (
          select workspace_id from event_log where created_at < $1 and ${isAmong('workspace_id')}
          order by created_at limit $2) as oldest`,
      values: [before.toISOString(), limit],
    });
    let count = 0;
    for (const { workspace_id } of rows) {
      if (count < limit) count += await prunePlaced(pool, workspace_id, before, limit - count);
      if (count < limit) count += await pruneUnplaced(pool, workspace_id, before, limit - count);
    }
    return count;
  },
};

/**
 * Deletes the oldest events with a position. `position > 0` holds for all of them: with one bound only, PostgreSQL expects a third of the
 * firm's log, and reads all of it.
 */
async function prunePlaced(pool: Pool, workspaceId: number, before: Date, limit: number): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `with head as materialized (
       select position from event_log_heads where workspace_id = $1 for update),
     oldest as (
       select e.position, e.created_at from event_log e, head
       where e.workspace_id = $1 and e.position > 0 order by e.position limit $3),
     gone as (
       delete from event_log
       where workspace_id = $1 and position > 0 and position <= (select max(position) from oldest where created_at < $2)
       returning position, tag),
     last as materialized (select position, tag from gone order by position desc limit 1),
     marked as (
       update event_log_heads h set pruned_through = last.position, pruned_tag = last.tag from last
       where h.workspace_id = $1)
     select count(*)::integer as count from gone`,
    [workspaceId, before.toISOString(), limit],
  );
  return rows[0]!.count;
}

/**
 * Deletes events of a firm that had no viewers, so that they never got a position. They count as one event that was pruned: a
 * client that resumes from before them gets `resync`.
 */
async function pruneUnplaced(pool: Pool, workspaceId: number, before: Date, limit: number): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `with head as materialized (
       select position from event_log_heads where workspace_id = $1 for update),
     oldest as materialized (
       select e.id, e.created_at from event_log e left join head on true
       where e.workspace_id = $1 and e.position is null order by e.id limit $3),
     gone as (
       delete from event_log
       where workspace_id = $1 and id in (select id from oldest where created_at < $2) and position is null
       returning id, tag),
     last as materialized (select tag from gone order by id desc limit 1),
     marked as (
       update event_log_heads h
       set position = h.position + 1, tag = last.tag, pruned_through = h.position + 1, pruned_tag = last.tag
       from last where h.workspace_id = $1)
     select count(*)::integer as count from gone`,
    [workspaceId, before.toISOString(), limit],
  );
  return rows[0]!.count;
}
