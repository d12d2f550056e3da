import type { Retention } from '../retention.ts';

/** The log reaches back this far. */
export const KEPT_HOURS = 24;

/**
 * The log is pruned in the order of its positions, so that it reaches back without a gap: what a clock that was ahead has
 * dated goes with the older rows after it. `live_horizon` keeps up to where it went.
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
