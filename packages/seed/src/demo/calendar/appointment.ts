import type { SeedRecordInput } from '../../schema.ts';
import { personOf } from '../people.ts';
import { at, moved } from './days.ts';

export type Appointment = SeedRecordInput<'events'>;
export type Calendar = SeedRecordInput<'calendars'>;
type Attendee = NonNullable<Appointment['attendees']>[number];
type When = Pick<Appointment, 'starts_at' | 'ends_at' | 'timezone' | 'all_day'>;

/** Returns an event between two wall-clock times. An end that is not after the start is on the next day. */
export function timed(day: string, from: string, until: string, timezone: string): When {
  const lastDay = until > from ? day : moved(day, 1);
  return { starts_at: at(day, from, timezone), ends_at: at(lastDay, until, timezone), timezone };
}

/** Returns an all-day event of `count` days. As in iCalendar, it ends at the midnight after the last day. */
export function wholeDays(day: string, count: number, timezone: string): When {
  return {
    starts_at: at(day, '00:00', timezone),
    ends_at: at(moved(day, count), '00:00', timezone),
    timezone,
    all_day: true,
  };
}

export function appointment(
  calendar: Calendar,
  key: string,
  title: string,
  when: When,
  about: Partial<Appointment> = {},
): Appointment {
  return { key, calendar: calendar.key, title, ...when, ...about };
}

/** Returns attendees: colleagues by key, or external people. The first one is the organizer. */
export function attended(...people: (string | Attendee)[]): Pick<Appointment, 'organizer' | 'attendees'> {
  const attendees = people.map(
    (person, index): Attendee => ({
      ...(typeof person === 'string' ? { ...personOf(person), response: 'accepted' } : person),
      is_organizer: index === 0,
    }),
  );
  const [first] = attendees;
  return { ...(first ? { organizer: { name: first.name, email: first.email } } : {}), attendees };
}

export const answering = (key: string, response: string): Attendee => ({ ...personOf(key), response });

export const guest = (name: string, email: string, response = 'accepted'): Attendee => ({
  name,
  email,
  response,
});

export const optional = (attendee: Attendee): Attendee => ({ ...attendee, is_optional: true });

export function reminding(minutes_before: number, ...people: string[]): Pick<Appointment, 'reminders'> {
  return { reminders: people.map((user) => ({ user, minutes_before, channel: 'push' })) };
}

export function meetingRoom(meeting_id: string, passcode: string): Pick<Appointment, 'conference'> {
  const url = `https://meet.northgate.example/j/${meeting_id}`;
  return { conference: { provider: 'zoom', url, meeting_id, passcode } };
}
