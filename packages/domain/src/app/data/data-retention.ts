import { DATA_FILE_DAYS } from '@firmdesk/contract';
import type { Retention } from '../../platform/database/retention.ts';
import { allFirms } from '../../platform/distribution/all-firms.ts';
import { DAY_MS } from '../../platform/process/clock.ts';
import { fileKey } from './data-files.ts';

/** Requests are deleted with their files. */
export const dataRequestRetention: Retention = {
  kind: 'data_requests',
  keptMs: DATA_FILE_DAYS * DAY_MS,
  since: 'since it was asked for',
  oldest: (isAmong) => `select min(created_at) as at from data_requests where ${isAmong('workspace_id')}`,
  async prune({ pool, objects, firmServers }, before, limit) {
    const due = await firmServers.readAll<{ workspace_id: number; id: string }>({
      text: (isAmong) => `${allFirms('retention')}
        select workspace_id, id from data_requests where created_at < $1 and ${isAmong('workspace_id')}
        order by created_at limit $2`,
      values: [before.toISOString(), limit],
    });
    let deleted = 0;
    for (const [firm, rows] of Map.groupBy(due, ({ workspace_id }) => workspace_id)) {
      const ids = rows.map(({ id }) => id);
      await objects.delete(ids.map((id) => fileKey(firm, id)));
      const { rowCount } = await pool.query(
        'delete from data_requests where workspace_id = $1 and id = any($2)',
        [firm, ids],
      );
      deleted += rowCount ?? 0;
    }
    return deleted;
  },
};
