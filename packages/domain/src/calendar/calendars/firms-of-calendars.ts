import { sql } from 'kysely';
import type { Sql } from '../../platform/database/database.ts';
import { allFirms } from '../../platform/distribution/all-firms.ts';

/**
 * Returns the firms of calendars by the calendars' ids, which are unique over all firms. For commands and imports, which know only
 * the id: this is the one statement of the calendar that does not name the firm.
 */
export async function firmsOfCalendars(db: Sql, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('calendars')
    .modifyFront(sql.raw(allFirms('calendars')))
    .select(['id', 'workspace_id'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, workspace_id }) => [id, workspace_id]));
}
