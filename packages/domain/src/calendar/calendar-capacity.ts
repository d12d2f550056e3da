import { MAX_EVENTS_PER_CALENDAR } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';

/** The number of events that calendars can still take, and their firms. */
export interface CalendarCapacity {
  remaining(calendarId: number): number;
  /** Reserves room for one event. Throws `event_limit_reached`. */
  reserve(calendarId: number): void;
  /** The firm of a calendar, which must exist. */
  workspaceOf(calendarId: number): number;
}

/** Returns the capacity of calendars, and locks them against concurrent inserts until the transaction ends. */
export async function calendarCapacity(
  { em }: OperationContext,
  calendarIds: readonly number[],
): Promise<CalendarCapacity> {
  const ids = [...new Set(calendarIds)];
  const db = sqlOf(em);
  const calendars = await sql<{ id: number; workspace_id: number }>`
    select id, workspace_id from calendars where id = any(${ids}) order by id for no key update`.execute(db);
  const workspaces = new Map(calendars.rows.map(({ id, workspace_id }) => [id, workspace_id]));
  const { rows } = await sql<{ id: number; stored: number }>`
    select c.id, (
      select count(*) from (select from events where calendar_id = c.id limit ${MAX_EVENTS_PER_CALENDAR}) e
    )::integer as stored
    from unnest(${ids}::integer[]) as c (id)`.execute(db);
  const capacity = new Map(rows.map(({ id, stored }) => [id, MAX_EVENTS_PER_CALENDAR - stored]));
  const remaining = (id: number) => capacity.get(id) ?? 0;
  return {
    remaining,
    reserve(id) {
      if (remaining(id) <= 0) throw new ApiError('event_limit_reached');
      capacity.set(id, remaining(id) - 1);
    },
    workspaceOf: (id) => workspaces.get(id)!,
  };
}
