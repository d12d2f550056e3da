import { DAY_MS } from '../platform/clock.ts';
import { queryPool } from '../platform/query-pool.ts';
import type { Retention } from '../platform/retention.ts';

const LAST_USE = 'coalesce(last_used_at, created_at)';

/**
 * Sessions that have not been used for a year: all of them ended nine months ago at the latest (`expired_token`). With them
 * goes the memory that their account knows the device. Keys are kept: a person made each, and may want to see what became
 * of it.
 */
export const sessionRetention: Retention = {
  kind: 'sessions',
  keptMs: 365 * DAY_MS,
  since: 'since its last use',
  // Found by when it began: an index of the last use would cost every use.
  oldest: `select min(${LAST_USE}) as at from tokens where kind = 'device' and created_at < now() - interval '1 year'`,
  async prune({ pool }, before, limit) {
    const { rowCount } = await queryPool(
      pool,
      `delete from tokens where id = any(array(
        select id from tokens where kind = 'device' and created_at < $1 and ${LAST_USE} < $1
        order by created_at limit $2 for update skip locked))`,
      [before.toISOString(), limit],
    );
    return rowCount ?? 0;
  },
};
