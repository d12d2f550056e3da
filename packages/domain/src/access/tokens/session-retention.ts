import type { Retention } from '../../platform/database/retention.ts';
import { DAY_MS } from '../../platform/process/clock.ts';

const LAST_USE = 'coalesce(last_used_at, created_at)';

/**
 * Retention of sessions: deleted when unused for a year. They expired at least nine months earlier (`expired_token`). After the
 * deletion, the device counts as new. API keys are never deleted: people created them and may look them up.
 */
export const sessionRetention: Retention = {
  kind: 'sessions',
  keptMs: 365 * DAY_MS,
  since: 'since its last use',
  // Uses the index of `created_at`: an index of the last use would slow down every call.
  oldest: () =>
    `select min(${LAST_USE}) as at from tokens where kind = 'device' and created_at < now() - interval '1 year'`,
  async prune({ pool }, before, limit) {
    const { rowCount } = await pool.query(
      `delete from tokens where id = any(array(
        select id from tokens where kind = 'device' and created_at < $1 and ${LAST_USE} < $1
        order by created_at limit $2 for update skip locked))`,
      [before.toISOString(), limit],
    );
    return rowCount ?? 0;
  },
};
