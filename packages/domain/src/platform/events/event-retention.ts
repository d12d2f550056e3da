import type { Retention } from '../retention.ts';

/** How long an event is stored. */
export const KEPT_HOURS = 24;

/**
 * Prunes the log in the order of positions, so that the rest has no gap: a row with a date that is too late, from a fast clock, is
 * deleted together with the older rows after it. `live_horizon` stores the last deleted position.
 */
export const eventRetention: Retention = {
  kind: 'live_events',
  keptMs: KEPT_HOURS * 3_600_000,
  since: 'since it happened',
  oldest: `select created_at as at from live_events where position is not null order by position limit 1`,
  async prune({ pool }, before, limit) {
    const { rows } = await pool.query<{ count: number }>(
      `with oldest as (
         select position, created_at from live_events where position is not null order by position limit $2),
       gone as (
         delete from live_events
         where position <= (select max(position) from oldest where created_at < $1)
         returning position),
       marked as (
         update live_horizon set pruned_through = greatest(pruned_through, (select max(position) from gone)))
       select count(*)::int as count from gone`,
      [before.toISOString(), limit],
    );
    return rows[0]!.count;
  },
};
