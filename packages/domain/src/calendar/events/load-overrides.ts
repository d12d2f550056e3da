import { sql } from 'kysely';
import type { Sql } from '../../platform/database/database.ts';
import type { OverrideColumns } from './series.ts';

/** Returns the overrides of an event without descriptions and locations, which only the calendar shows and which can be a million characters long. */
export async function loadOverrides(
  db: Sql,
  workspaceId: number,
  eventId: number,
): Promise<OverrideColumns[]> {
  const { rows } = await sql<OverrideColumns>`
    select occurrence_start, cancelled, this_and_future, local_start, local_end, all_day, title,
      null as description, null as location, status
    from event_overrides where workspace_id = ${workspaceId} and event_id = ${eventId}`.execute(db);
  return rows;
}
