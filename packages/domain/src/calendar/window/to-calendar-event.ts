import type { CalendarEvent } from '@firmdesk/contract';
import { LoopYielder } from '../../platform/process/loop-yielder.ts';
import type { Conference } from '../calendar.entity.ts';
import { isAtLeast } from '../calendars/access-level.ts';
import { isRecurring, type OverrideColumns } from '../events/series.ts';
import type { Candidate } from './candidate.ts';
import type { EventOccurrence } from './occurrence-list.ts';

type Times = Pick<CalendarEvent, 'occurrence_start' | 'starts_at' | 'ends_at'>;
type Content = Omit<CalendarEvent, keyof Times>;

const NO_CONFERENCE: Conference = { provider: null, url: null, meeting_id: null, passcode: null };

/** What a viewer at `busy` sees of an event. */
const BUSY = {
  title: 'Busy',
  description: null,
  location: null,
  source: 'manual',
  recurrence_rule: null,
  conference: NO_CONFERENCE,
  organizer: { name: null, email: null },
  attendees: [],
  reminders: [],
  tags: [],
} satisfies Partial<Content>;

/** Returns an occurrence as its viewer may see it (contract §2.2). */
export function toCalendarEvent(occurrence: EventOccurrence<Candidate>): CalendarEvent {
  return changed(occurrence, contentOf(occurrence.event));
}

/** Converts many occurrences like {@link toCalendarEvent}. Yields to the event loop in between. */
export async function toCalendarEvents(
  occurrences: readonly EventOccurrence<Candidate>[],
): Promise<CalendarEvent[]> {
  const events: CalendarEvent[] = [];
  const yielder = new LoopYielder();
  // The occurrences of a series share it.
  const contents = new Map<Candidate, Content>();
  for (const occurrence of occurrences) {
    if (yielder.isDue) await yielder.yieldIfDue();
    const { event } = occurrence;
    let content = contents.get(event);
    if (!content) {
      content = contentOf(event);
      contents.set(event, content);
    }
    events.push(changed(occurrence, content));
  }
  return events;
}

/** Returns the fields of an event that all its occurrences share, in the order of the contract. */
function contentOf(event: Candidate): Content {
  const common = {
    object: 'calendar_event' as const,
    id: event.id,
    calendar_id: event.calendar_id,
    all_day: event.all_day,
    timezone: event.timezone,
    status: event.status,
    is_recurring: isRecurring(event),
  };
  const can_write = isAtLeast(event.level, 'write');
  if (event.level === 'busy') return { ...common, ...BUSY, can_write };
  return {
    ...common,
    title: event.title,
    description: event.description,
    location: event.location,
    source: event.source,
    recurrence_rule: event.recurrence_rule,
    conference: event.conference ?? NO_CONFERENCE,
    organizer: { name: event.organizer_name, email: event.organizer_email },
    attendees: event.attendees ?? [],
    reminders: event.reminders ?? [],
    tags: event.tags ?? [],
    can_write,
  };
}

/** Adds the times of an occurrence, and the changes of its override. */
function changed(occurrence: EventOccurrence<Candidate>, content: Content): CalendarEvent {
  const { event, override } = occurrence;
  const result = { ...timesOf(occurrence), ...content };
  if (override) {
    result.all_day = override.all_day ?? content.all_day;
    result.status = override.status ?? content.status;
  }
  if (override && event.level !== 'busy') {
    result.title = override.title ?? content.title;
    result.description = (override.description ?? content.description) || null;
    result.location = (override.location ?? content.location) || null;
  }
  return result;
}

/** Returns the first occurrences whose texts have at most `limit` bytes in total. */
export function limitByTextSize(
  occurrences: readonly EventOccurrence<Candidate>[],
  limit: number,
): readonly EventOccurrence<Candidate>[] {
  let size = 0;
  let count = 0;
  for (const { event, override } of occurrences) {
    size += event.text_bytes + (override ? bytesOf(override) : 0);
    if (size > limit) return occurrences.slice(0, count);
    count++;
  }
  return occurrences;
}

function bytesOf({ title, description, location }: OverrideColumns): number {
  return (
    Buffer.byteLength(title ?? '') + Buffer.byteLength(description ?? '') + Buffer.byteLength(location ?? '')
  );
}

function timesOf({ recurrenceId, start, end }: EventOccurrence<Candidate>): Times {
  const starts_at = toIso(start);
  // An occurrence that was not moved starts when its series says.
  const planned = recurrenceId === start ? starts_at : recurrenceId === null ? null : toIso(recurrenceId);
  return { occurrence_start: planned, starts_at, ends_at: toIso(end) };
}

function toIso(instant: number): string {
  return new Date(instant).toISOString();
}
