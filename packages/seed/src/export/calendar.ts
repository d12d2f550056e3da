import type { CalendarColor } from '@firmdesk/contract';
import { type EventColumns, instantOf, type OverrideColumns } from '@firmdesk/domain/import';
import type { SeedRecordInput } from '../schema.ts';
import { type ExportContext, pagesOfTable, rowsBy } from './context.ts';

/** The events of a page: each has lists of its own. */
const EVENTS = 200;

export async function* exportCalendars(ctx: ExportContext): AsyncGenerator<SeedRecordInput<'calendars'>[]> {
  for await (const calendars of pagesOfTable(ctx, 'calendars')) {
    const ids = calendars.map(({ id }) => id);
    const shares = await rowsBy(ctx, 'calendar_shares', 'calendar_id', ids, ['user_id']);
    yield calendars.map(({ id, name, owner_id, color, shows_busy }) => ({
      key: String(id),
      id,
      firm: ctx.slug,
      name,
      owner: owner_id,
      ...(color !== null && { color: color as CalendarColor }),
      shows_busy,
      shares: shares(id).map(({ user_id, level }) => ({ user: user_id, level })),
    }));
  }
}

export async function* exportEvents(ctx: ExportContext): AsyncGenerator<SeedRecordInput<'events'>[]> {
  for await (const page of pagesOfTable(ctx, 'events', EVENTS)) {
    const events = page as EventColumns[];
    const ids = events.map(({ id }) => id);
    const overridesOf = await rowsBy(ctx, 'event_overrides', 'event_id', ids, ['occurrence_start']);
    const remindersOf = await rowsBy(ctx, 'event_reminders', 'event_id', ids, [
      'user_id',
      'minutes_before',
      'channel',
    ]);
    const tagsOf = await rowsBy(ctx, 'event_tags', 'event_id', ids, ['tag_id']);
    yield events.map((event) => ({
      ...recordOf(event, overridesOf(event.id) as OverrideColumns[]),
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
