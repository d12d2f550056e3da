import { MAX_EVENTS_PER_CALENDAR } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { ApiError } from '../../platform/process/errors.ts';

/** The number of events that calendars can still take. */
export interface CalendarCapacity {
  remaining(calendarId: number): number;
  /** Reserves room for one event. Throws `event_limit_reached`. */
  reserve(calendarId: number): void;
}

/** Returns the capacity of a firm's calendars, and locks them against concurrent inserts until the transaction ends. */
export async function calendarCapacity(
  { db }: OperationContext,
  workspaceId: number,
  calendarIds: readonly number[],
): Promise<CalendarCapacity> {
  const ids = [...new Set(calendarIds)];
  await sql`
    select from calendars where workspace_id = ${workspaceId} and id = any(${ids}) order by id
    for no key update`.execute(db);
  const { rows } = await sql<{ id: number; stored: number }>`
    select c.id, (
      select count(*) from (
        select from events where workspace_id = ${workspaceId} and calendar_id = c.id limit ${MAX_EVENTS_PER_CALENDAR}
      ) e
    )::integer as stored
    from calendars c where c.workspace_id = ${workspaceId} and c.id = any(${ids})`.execute(db);
  const capacity = new Map(rows.map(({ id, stored }) => [id, MAX_EVENTS_PER_CALENDAR - stored]));
  const remaining = (id: number) => capacity.get(id) ?? 0;
  return {
    remaining,
    reserve(id) {
      if (remaining(id) <= 0) throw new ApiError('event_limit_reached');
      capacity.set(id, remaining(id) - 1);
    },
  };
}
