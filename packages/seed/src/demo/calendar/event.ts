import type { SeedRecordInput } from '../../schema.ts';
import { personOf } from '../people.ts';
import { addDays, at } from './days.ts';

export type CalendarEvent = SeedRecordInput<'events'>;
export type Calendar = SeedRecordInput<'calendars'>;
type Attendee = NonNullable<CalendarEvent['attendees']>[number];
type EventTimes = Pick<CalendarEvent, 'starts_at' | 'ends_at' | 'timezone' | 'all_day'>;

/** Returns an event between two wall-clock times. An end that is not after the start is on the next day. */
export function timed(day: string, from: string, until: string, timezone: string): EventTimes {
  const lastDay = until > from ? day : addDays(day, 1);
  return { starts_at: at(day, from, timezone), ends_at: at(lastDay, until, timezone), timezone };
}

/** Returns an all-day event of `count` days. As in iCalendar, it ends at the midnight after the last day. */
export function wholeDays(day: string, count: number, timezone: string): EventTimes {
  return {
    starts_at: at(day, '00:00', timezone),
    ends_at: at(addDays(day, count), '00:00', timezone),
    timezone,
    all_day: true,
  };
}

/** Returns an event of a calendar. */
export function calendarEvent(
  calendar: Calendar,
  key: string,
  title: string,
  when: EventTimes,
  about: Partial<CalendarEvent> = {},
): CalendarEvent {
  return { key, calendar: calendar.key, title, ...when, ...about };
}

/** Returns attendees: colleagues by key, or external people. The first one is the organizer. */
export function withAttendees(
  ...people: (string | Attendee)[]
): Pick<CalendarEvent, 'organizer' | 'attendees'> {
  const attendees = people.map(
    (person, index): Attendee => ({
      ...(typeof person === 'string' ? { ...personOf(person), response: 'accepted' } : person),
      is_organizer: index === 0,
    }),
  );
  const [first] = attendees;
  return { ...(first ? { organizer: { name: first.name, email: first.email } } : {}), attendees };
}

/** An attendee from the firm, by the user's key. */
export const colleague = (key: string, response: string): Attendee => ({ ...personOf(key), response });

/** An attendee from outside the firm. */
export const guest = (name: string, email: string, response = 'accepted'): Attendee => ({
  name,
  email,
  response,
});

export const optional = (attendee: Attendee): Attendee => ({ ...attendee, is_optional: true });

/** Returns a push reminder for each user. */
export function withReminders(minutes_before: number, ...people: string[]): Pick<CalendarEvent, 'reminders'> {
  return { reminders: people.map((user) => ({ user, minutes_before, channel: 'push' })) };
}

/** Returns a video conference. */
export function withConference(meeting_id: string, passcode: string): Pick<CalendarEvent, 'conference'> {
  const url = `https://meet.northgate.example/j/${meeting_id}`;
  return { conference: { provider: 'zoom', url, meeting_id, passcode } };
}
