import type { CalendarColor } from '@firmdesk/contract';
import { type EventColumns, instantOf, type OverrideColumns } from '@firmdesk/domain/import';
import type { SeedRecordInput } from '../schema.ts';
import { type ExportContext, groupBy, PAGE, pagesOf } from './context.ts';

/** The events of a page: each has lists of its own. */
const EVENTS = 200;

export async function* exportCalendars({
  sql: db,
  workspaceId,
  slug,
}: ExportContext): AsyncGenerator<SeedRecordInput<'calendars'>[]> {
  const pages = pagesOf(
    ({ id }) => id,
    (after: number | null) =>
      db
        .selectFrom('calendars')
        .select(['id', 'name', 'owner_id', 'color', 'shows_busy'])
        .where('workspace_id', '=', workspaceId)
        .where('id', '>', after ?? 0)
        .orderBy('id')
        .limit(PAGE)
        .execute(),
  );
  for await (const calendars of pages) {
    const shares = groupBy(
      await db
        .selectFrom('calendar_shares')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where(
          'calendar_id',
          'in',
          calendars.map(({ id }) => id),
        )
        .orderBy('user_id')
        .execute(),
      ({ calendar_id }) => calendar_id,
    );
    yield calendars.map(({ id, name, owner_id, color, shows_busy }) => ({
      key: String(id),
      id,
      firm: slug,
      name,
      owner: owner_id,
      ...(color !== null && { color: color as CalendarColor }),
      shows_busy,
      shares: shares(id).map(({ user_id, level }) => ({ user: user_id, level })),
    }));
  }
}

export async function* exportEvents({
  sql: db,
  workspaceId,
}: ExportContext): AsyncGenerator<SeedRecordInput<'events'>[]> {
  const pages = pagesOf(
    ({ id }) => id,
    (after: number | null) =>
      db
        .selectFrom('events')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', '>', after ?? 0)
        .orderBy('id')
        .limit(EVENTS)
        .execute() as Promise<EventColumns[]>,
    EVENTS,
  );
  for await (const events of pages) {
    const ids = events.map(({ id }) => id);
    const overrides = (await db
      .selectFrom('event_overrides')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('event_id', 'in', ids)
      .orderBy('occurrence_start')
      .execute()) as (OverrideColumns & { event_id: number })[];
    const reminders = await db
      .selectFrom('event_reminders')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('event_id', 'in', ids)
      .orderBy('user_id')
      .orderBy('minutes_before')
      .orderBy('channel')
      .execute();
    const tags = await db
      .selectFrom('event_tags')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('event_id', 'in', ids)
      .orderBy('tag_id')
      .execute();
    const overridesOf = groupBy(overrides, ({ event_id }) => event_id);
    const remindersOf = groupBy(reminders, ({ event_id }) => event_id);
    const tagsOf = groupBy(tags, ({ event_id }) => event_id);
    yield events.map((event) => ({
      ...recordOf(event, overridesOf(event.id)),
      reminders: remindersOf(event.id).map(({ user_id, minutes_before, channel }) => ({
        user: user_id,
        minutes_before,
        channel,
      })),
      tags: tagsOf(event.id).map(({ tag_id }) => String(tag_id)),
    }));
  }
}

/**
 * Returns an event as an import accepts it: instants instead of wall times. An import file has no change of "this and all following
 * occurrences", and no lengths of added occurrences.
 */
function recordOf(event: EventColumns, overrides: readonly OverrideColumns[]): SeedRecordInput<'events'> {
  const at = (stored: string) => new Date(instantOf(stored, event.timezone)).toISOString();
  return {
    key: String(event.id),
    id: event.id,
    calendar: String(event.calendar_id),
    title: event.title,
    ...(event.description !== null && { description: event.description }),
    ...(event.location !== null && { location: event.location }),
    starts_at: at(event.local_start),
    ends_at: at(event.local_end),
    all_day: event.all_day,
    timezone: event.timezone,
    status: event.status,
    source: event.source,
    ...(event.recurrence_rule !== null && { recurrence_rule: event.recurrence_rule }),
    rdates: event.added_dates.map(({ start }) => at(start)),
    exdates: event.removed_dates.map(at),
    overrides: overrides
      .filter(({ this_and_future }) => !this_and_future)
      .map(
        ({
          occurrence_start,
          cancelled,
          local_start,
          local_end,
          all_day,
          title,
          description,
          location,
          status,
        }) =>
          cancelled
            ? { occurrence_start: at(occurrence_start), cancelled: true as const }
            : {
                occurrence_start: at(occurrence_start),
                ...(local_start !== null && { starts_at: at(local_start) }),
                ...(local_end !== null && { ends_at: at(local_end) }),
                ...(all_day !== null && { all_day }),
                ...(title !== null && { title }),
                ...(description !== null && { description }),
                ...(location !== null && { location }),
                ...(status !== null && { status }),
              },
      ),
    ...(event.conference !== null && { conference: event.conference }),
    ...(event.organizer_email !== null && {
      organizer: { name: event.organizer_name, email: event.organizer_email },
    }),
    attendees: event.attendees,
  };
}
