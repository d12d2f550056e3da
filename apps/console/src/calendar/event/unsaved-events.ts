import type {
  AnswerInvitationInput,
  CalendarEvent,
  ChangeEventInput,
  CreateEventInput,
  DeleteEventInput,
  SetRemindersInput,
} from '@firmdesk/contract';
import type { OutboxEntry, UnsavedCall } from '../../outbox/entries.ts';
import { instantOf } from '../wall-clock.ts';

/** An event as a page shows it. `unsaved` is the key of the change that the service has not confirmed. */
export type ShownEvent = CalendarEvent & { unsaved?: string };

/** Returns the events with the unconfirmed changes: created ones are added, deleted ones are left out. */
export function withUnsavedEvents(
  events: readonly CalendarEvent[],
  entries: readonly OutboxEntry[],
  timezone: string,
): ShownEvent[] {
  let shown: ShownEvent[] = [...events];
  for (const [index, entry] of entries.entries())
    if (entry.kind === 'call') shown = applied(shown, entry, timezone, index);
  return shown;
}

function applied(events: ShownEvent[], entry: UnsavedCall, timezone: string, index: number): ShownEvent[] {
  const { procedure, key: unsaved } = entry;
  const input: unknown = entry.input;
  switch (procedure) {
    case 'calendar.create':
      return [...events, { ...newEvent(input as CreateEventInput, timezone, -1 - index), unsaved }];
    case 'calendar.change':
      return withChange(events, input as ChangeEventInput, unsaved);
    case 'calendar.delete': {
      const isDeleted = isIn(input as DeleteEventInput);
      return events.filter((event) => !isDeleted(event));
    }
    case 'calendar.answer': {
      const { id, response } = input as AnswerInvitationInput;
      return response === 'declined'
        ? events.filter((event) => event.id !== id)
        : events.map((event) => (event.id === id ? { ...event, status: 'confirmed', unsaved } : event));
    }
    case 'calendar.remind': {
      const { id, reminders } = input as SetRemindersInput;
      return events.map((event) => (event.id === id ? { ...event, reminders, unsaved } : event));
    }
    default:
      return events;
  }
}

type Occurrences = Pick<DeleteEventInput, 'id' | 'occurrence_start' | 'extent'>;

/** Returns a function that tells whether an occurrence is one of those that a call changes or deletes. */
function isIn({ id, occurrence_start, extent }: Occurrences): (event: CalendarEvent) => boolean {
  return (event) => {
    if (event.id !== id) return false;
    if (extent === 'all' || occurrence_start === null) return true;
    const recurrenceId = event.occurrence_start ?? '';
    return extent === 'this' ? recurrenceId === occurrence_start : recurrenceId >= occurrence_start;
  };
}

function withChange(events: ShownEvent[], input: ChangeEventInput, unsaved: string): ShownEvent[] {
  const { title, location, description, all_day, starts_at, ends_at } = input;
  const isChanged = isIn(input);
  const named = events.find(
    (event) => isChanged(event) && (event.occurrence_start ?? null) === input.occurrence_start,
  );
  // The times are those of the named occurrence; the others move by as much.
  const shift = (edge: 'starts_at' | 'ends_at', to: string | undefined) =>
    named && to !== undefined ? instantOf(to, named.timezone) - Date.parse(named[edge]) : 0;
  const [start, end] = [shift('starts_at', starts_at), shift('ends_at', ends_at)];
  return events.map((event) =>
    isChanged(event)
      ? {
          ...event,
          ...(title !== undefined && { title }),
          ...(location !== undefined && { location }),
          ...(description !== undefined && { description }),
          ...(all_day !== undefined && { all_day }),
          starts_at: new Date(Date.parse(event.starts_at) + start).toISOString(),
          ends_at: new Date(Date.parse(event.ends_at) + end).toISOString(),
          unsaved,
        }
      : event,
  );
}

/** Returns the first occurrence of an event that has no id yet. It can be changed once it is saved. */
function newEvent(input: CreateEventInput, accountZone: string, id: number): CalendarEvent {
  const timezone = input.timezone ?? accountZone;
  const at = (wall: string) => new Date(instantOf(wall, timezone)).toISOString();
  return {
    object: 'calendar_event',
    id,
    occurrence_start: null,
    calendar_id: input.calendar_id,
    title: input.title,
    description: input.description ?? null,
    location: input.location ?? null,
    starts_at: at(input.starts_at),
    ends_at: at(input.ends_at),
    all_day: input.all_day ?? false,
    timezone,
    status: 'confirmed',
    source: 'manual',
    is_recurring: Boolean(input.recurrence_rule),
    recurrence_rule: input.recurrence_rule ?? null,
    conference: { url: input.conference?.url ?? null, provider: null, meeting_id: null, passcode: null },
    organizer: { name: null, email: null },
    attendees: (input.attendees ?? []).map(({ name, email, is_optional }) => ({
      ...{ name: name ?? null, email, response: 'needs_action' },
      ...{ is_organizer: false, is_optional: is_optional ?? false },
    })),
    reminders: input.reminders ?? [],
    tags: [],
    can_write: false,
  };
}
