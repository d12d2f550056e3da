import { MAX_EVENTS_PER_CALENDAR } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';

/** How many events some calendars can still take. */
export interface CalendarCapacity {
  left(calendarId: number): number;
  /** Counts one more event. Raises `event_limit_reached`. */
  take(calendarId: number): void;
}

/** The room in calendars, which stay locked for others who insert: so their events are counted once and for all. */
export async function calendarCapacity(
  { em }: OperationContext,
  calendarIds: readonly number[],
): Promise<CalendarCapacity> {
  const ids = [...new Set(calendarIds)];
  const db = sqlOf(em);
  await sql`select from calendars where id = any(${ids}) order by id for no key update`.execute(db);
  const { rows } = await sql<{ id: number; held: number }>`
    select c.id, (
      select count(*) from (select from events where calendar_id = c.id limit ${MAX_EVENTS_PER_CALENDAR}) e
    )::integer as held
    from unnest(${ids}::integer[]) as c (id)`.execute(db);
  const room = new Map(rows.map(({ id, held }) => [id, MAX_EVENTS_PER_CALENDAR - held]));
  const left = (id: number) => room.get(id) ?? 0;
  return {
    left,
    take(id) {
      if (left(id) <= 0) throw new ApiError('event_limit_reached');
      room.set(id, left(id) - 1);
    },
  };
}
