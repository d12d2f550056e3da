import type { CalendarEvent, ChangeEventInput, CreateEventInput } from '@firmdesk/contract';
import { withStart } from '../recurrence/rule-builder.ts';
import { addDays, type Day, dayOf, msOf } from '../views/days.ts';
import { wallClockMs } from '../wall-clock.ts';
import type { Guest } from './guests-field.tsx';

/** New events begin at this minute of the day, unless a time was chosen: 09:00. */
const NEW_EVENT_MINUTE = 540;
const HOUR_MS = 3_600_000;

/** The start of a new event, or the occurrence to edit. */
export type EventDraft = NewEvent | { event: CalendarEvent };

/** Where a new event begins, and its length in minutes if that was chosen. */
export interface NewEvent {
  day: Day;
  minute: number;
  minutes?: number;
}

/**
 * Returns a new event on a day for which no time was chosen. Today it begins at the next full hour if the usual time is over, because guests are not told
 * of an event in the past. `now` is a wall-clock time in ms.
 */
export function newEventOn(day: Day, now: number): NewEvent {
  const usual = msOf(day) + NEW_EVENT_MINUTE * 60_000;
  const next = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
  const start = day === dayOf(now) ? Math.max(usual, next) : usual;
  // The next hour may be that of midnight.
  const first = dayOf(start);
  return { day: first, minute: (start - msOf(first)) / 60_000 };
}

/** The values of the event form: times in the event's time zone, and an inclusive last day. */
export interface EventValues {
  title: string;
  all_day: boolean;
  start_day: Day;
  start_time: string;
  end_day: Day;
  end_time: string;
  recurrence_rule: string;
  location: string;
  conference_url: string;
  description: string;
  guests: Guest[];
  /** Of a new event: how and when its creator is reminded, as in `reminders.ts`. */
  reminder: string;
}

const DEFAULT_DURATION_MINUTES = 60;

/** Returns the initial values of the form: those of the event, or defaults for a new one. */
export function valuesOf(draft: EventDraft): EventValues {
  if (!('event' in draft)) return newValues(draft);
  const { event } = draft;
  const start = wallClockMs(event.starts_at, event.timezone);
  const end = wallClockMs(event.ends_at, event.timezone);
  return {
    title: event.title,
    all_day: event.all_day,
    start_day: dayOf(start),
    start_time: clock(start),
    end_day: event.all_day ? dayOf(Math.max(start, end - 1)) : dayOf(end),
    end_time: clock(end),
    recurrence_rule: event.recurrence_rule ?? '',
    location: event.location ?? '',
    conference_url: event.conference.url ?? '',
    description: event.description ?? '',
    guests: event.attendees,
    reminder: '',
  };
}

function newValues({ day, minute, minutes = DEFAULT_DURATION_MINUTES }: NewEvent): EventValues {
  const start = Date.parse(`${day}T00:00:00Z`) + minute * 60_000;
  const end = start + minutes * 60_000;
  return {
    title: '',
    all_day: false,
    start_day: day,
    start_time: clock(start),
    end_day: dayOf(end),
    end_time: clock(end),
    recurrence_rule: '',
    location: '',
    conference_url: '',
    description: '',
    guests: [],
    reminder: '',
  };
}

type Fields = Omit<CreateEventInput, 'calendar_id'>;

/** Returns the fields to send: times without an offset, in the event's time zone, and an exclusive end. */
export function fieldsOf(values: EventValues): Fields {
  const { title, all_day, start_day, start_time, end_day, end_time } = values;
  return {
    title,
    all_day,
    starts_at: all_day ? start_day : `${start_day}T${start_time}`,
    ends_at: all_day ? dayAfter(end_day) : `${end_day}T${end_time}`,
    recurrence_rule: values.recurrence_rule.trim() || null,
    location: values.location || null,
    description: values.description || null,
    conference: values.conference_url ? { url: values.conference_url.trim() } : null,
    attendees: values.guests.map(({ name, email, is_optional }) => ({ name, email, is_optional })),
  };
}

/** Returns only the changed fields: a change of one occurrence accepts only some. Keeps the conference's other fields. */
export function changesOf(
  event: CalendarEvent,
  values: EventValues,
): Omit<ChangeEventInput, 'id' | 'extent' | 'occurrence_start'> {
  const before = valuesOf({ event });
  const [old, now] = [fieldsOf(before), fieldsOf(values)];
  const isChanged = (name: keyof Fields) => JSON.stringify(old[name]) !== JSON.stringify(now[name]);
  const changed = Object.fromEntries(
    (Object.keys(now) as (keyof Fields)[]).filter(isChanged).map((name) => [name, now[name]]),
  );
  // Times and `all_day` are sent together: a date and a time have different forms.
  const isMoved = ['starts_at', 'ends_at', 'all_day'].some((name) => name in changed);
  const { all_day, starts_at, ends_at } = now;
  return {
    ...changed,
    ...(isMoved && { starts_at, ends_at }),
    ...(isMoved && all_day !== old.all_day && all_day !== undefined && { all_day }),
    ...('conference' in changed &&
      now.conference && { conference: { ...event.conference, ...now.conference } }),
  };
}

/** Returns the values with a new start and the same duration. */
export function movedStart(
  values: EventValues,
  change: Partial<Pick<EventValues, 'start_day' | 'start_time'>>,
): EventValues {
  const next = { ...values, ...change };
  const wall = (day: Day, time: string) => Date.parse(`${day}T${time || '00:00'}Z`);
  const lasts = wall(values.end_day, values.end_time) - wall(values.start_day, values.start_time);
  const start = wall(next.start_day, next.start_time);
  if (Number.isNaN(start) || Number.isNaN(lasts)) return next;
  return { ...next, end_day: dayOf(start + lasts), end_time: clock(start + lasts) };
}

/** Returns the values with the start at a place in the calendar, and the length that was chosen there, otherwise the same. */
export function movedTo(values: EventValues, { day, minute, minutes }: NewEvent): EventValues {
  const start = Date.parse(`${day}T00:00Z`) + minute * 60_000;
  const moved = movedStart(values, { start_day: day, start_time: clock(start) });
  if (minutes === undefined) return moved;
  const end = start + minutes * 60_000;
  return { ...moved, end_day: dayOf(end), end_time: clock(end) };
}

/** Returns the values with the start and the end later by some time, in ms. */
export function shifted(values: EventValues, startBy: number, endBy: number): EventValues {
  const start = Date.parse(`${values.start_day}T${values.start_time}Z`) + startBy;
  const end = Date.parse(`${values.end_day}T${values.end_time}Z`) + endBy;
  return {
    ...values,
    start_day: dayOf(start),
    start_time: clock(start),
    end_day: dayOf(end),
    end_time: clock(end),
  };
}

/** Returns the start and the end as wall-clock times in ms (see `wall-clock.ts`). */
export function timesOf({ start_day, start_time, end_day, end_time }: EventValues) {
  return { start: Date.parse(`${start_day}T${start_time}Z`), end: Date.parse(`${end_day}T${end_time}Z`) };
}

/** Returns the values with or without times. An event of one whole day gets those of a new event. */
export function withAllDay(values: EventValues, all_day: boolean, zone: string): EventValues {
  const startOf = (allDay: boolean) => ({ day: values.start_day, allDay, zone });
  const recurrence_rule = withStart(values.recurrence_rule, startOf(values.all_day), startOf(all_day));
  const next = { ...values, all_day, recurrence_rule };
  const { start_day, start_time, end_day, end_time } = next;
  if (all_day || `${start_day} ${start_time}` !== `${end_day} ${end_time}`) return next;
  const { start_time: start, end_time: end } = newValues({ day: start_day, minute: NEW_EVENT_MINUTE });
  return { ...next, start_time: start, end_time: end };
}

function clock(wall: number): string {
  return new Date(wall).toISOString().slice(11, 16);
}

function dayAfter(day: Day): Day {
  return Number.isNaN(Date.parse(day)) ? day : addDays(day, 1);
}
