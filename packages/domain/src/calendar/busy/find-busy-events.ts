import type { Window } from '@firmdesk/recurrence';
import { sql } from 'kysely';
import { firmIdOf, IS_ADMIN, IS_MEMBER } from '../../access/policy.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import type { AccessLevel } from '../calendars/access-level.ts';
import type { OverrideColumns } from '../events/series.ts';
import type { Expandable } from '../window/expand-events.ts';

/** The most events, and overrides of them, that are read for all people together. */
const MAX_EVENTS = 5_000;
const MAX_OVERRIDES = 20_000;

/** Returns the people of the firm with some addresses: the caller, and for an administrator the others. */
export async function findBusyPeople(
  { db, workspace, identity }: AccountContext,
  emails: readonly string[],
): Promise<{ id: string; email: string }[]> {
  const firm = firmIdOf(workspace.id);
  const isAdmin = sql.raw<boolean>(IS_ADMIN);
  const { rows } = await sql<{ id: string; email: string }>`
    select u.id, lower(u.email) as email
    from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${firm} and lower(u.email) = any(${emails})
      and (u.id = ${identity.user.id} and ${sql.raw(IS_MEMBER)}
        or ${isAdmin} and exists (select from memberships m join users u on u.id = m.user_id
          where m.workspace_id = ${firm} and u.id = ${identity.user.id} and ${isAdmin}))`.execute(db);
  return rows;
}

/** A calendar from which a person is busy, with the caller's access level; null if the caller sees nothing else of it. */
export interface BusyCalendar {
  id: number;
  owner_id: string;
  level: AccessLevel | null;
}

/** Returns the calendars of people from which the caller sees when they are busy, by id. */
export async function findBusyCalendars(
  { db, workspace, identity }: AccountContext,
  owners: readonly string[],
): Promise<Map<number, BusyCalendar>> {
  const { rows } = await sql<BusyCalendar>`
    select c.id, c.owner_id, case when c.owner_id = ${identity.user.id} then 'owner' else s.level end as level
    from calendars c
    left join calendar_shares s on s.workspace_id = ${workspace.id} and s.calendar_id = c.id and s.user_id = ${identity.user.id}
    where c.workspace_id = ${workspace.id} and c.owner_id = any(${owners})
      and (c.shows_busy or c.owner_id = ${identity.user.id} or s.level is not null)`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

export interface BusyEvent extends Expandable {
  calendar_id: number;
  title: string;
}

/** Returns the events of calendars that may have an occurrence in a window, without the copies of one. */
export async function findBusyEvents(
  { db, workspace }: AccountContext,
  {
    calendars,
    window,
    except,
  }: {
    calendars: readonly number[];
    window: Window;
    except: { id: number; uid: string | null } | null;
  },
): Promise<{ events: BusyEvent[]; isTruncated: boolean }> {
  const firm = workspace.id;
  const range = sql`tstzrange(${new Date(window.from).toISOString()}, ${new Date(window.until).toISOString()}, '[)')`;
  const { rows } = await sql<Omit<BusyEvent, 'overrides' | 'is_partial'>>`
    select e.id, e.calendar_id, e.title, e.local_start, e.local_end, e.all_day, e.timezone, e.recurrence_rule, e.added_dates,
      e.removed_dates
    from events e
    where e.workspace_id = ${firm} and e.calendar_id = any(${calendars}) and tstzrange(e.span_start, e.span_end, '[]') && ${range}
      and e.id is distinct from ${except?.id ?? null}::bigint and (e.uid is null or e.uid is distinct from ${except?.uid ?? null}::text)
    order by e.span_start, e.id
    limit ${MAX_EVENTS + 1}`.execute(db);
  const events = rows.slice(0, MAX_EVENTS);
  const ids = events.map(({ id }) => id);
  const { rows: overrides } = await sql<OverrideColumns & { event_id: number }>`
    select event_id, occurrence_start, cancelled, this_and_future, local_start, local_end, all_day, title, null as description,
      null as location, status
    from event_overrides
    where workspace_id = ${firm} and event_id = any(${ids}::bigint[]) and tstzrange(span_start, span_end, '[]') && ${range}
    order by event_id limit ${MAX_OVERRIDES}`.execute(db);
  const byEvent = Map.groupBy(overrides, ({ event_id }) => event_id);
  const cut = overrides.length < MAX_OVERRIDES ? Number.POSITIVE_INFINITY : overrides.at(-1)!.event_id;
  return {
    events: events.map((event) => ({
      ...event,
      overrides: byEvent.get(event.id) ?? null,
      is_partial: event.id >= cut,
    })),
    isTruncated: rows.length > MAX_EVENTS,
  };
}
