import type { CalendarEvent } from '@firmdesk/contract';
import type { EventAppearance } from './appearances.ts';
import { isAtLeast } from './reach.ts';
import type { Candidate } from './window-query.ts';

const NO_CONFERENCE = { provider: null, url: null, meeting_id: null, passcode: null };
const NO_ORGANIZER = { name: null, email: null };

/** An appearance as its viewer may see it (contract §2.2): at `busy` no more than when, and that it is. */
export function toCalendarEvent({
  event,
  slot,
  start,
  end,
  override,
}: EventAppearance<Candidate>): CalendarEvent {
  const { level } = event;
  const startsAt = new Date(start).toISOString();
  const when = {
    object: 'calendar_event',
    id: event.id,
    occurrence_start: slot === null ? null : slot === start ? startsAt : new Date(slot).toISOString(),
    calendar_id: event.calendar_id,
    starts_at: startsAt,
    ends_at: new Date(end).toISOString(),
    all_day: override?.all_day ?? event.all_day,
    timezone: event.timezone,
    status: override?.status ?? event.status,
    is_recurring: slot !== null,
  } as const;
  if (level === 'busy') {
    return {
      ...when,
      title: 'Busy',
      description: null,
      location: null,
      source: 'manual',
      recurrence_rule: null,
      conference: NO_CONFERENCE,
      organizer: NO_ORGANIZER,
      attendees: [],
      reminders: [],
      tags: [],
      can_write: false,
    };
  }
  return {
    ...when,
    title: override?.title ?? event.title,
    description: (override?.description ?? event.description) || null,
    location: (override?.location ?? event.location) || null,
    source: event.source,
    recurrence_rule: event.recurrence_rule,
    conference: event.conference ?? NO_CONFERENCE,
    organizer: { name: event.organizer_name, email: event.organizer_email },
    attendees: event.attendees,
    reminders: event.reminders ?? [],
    tags: event.tags ?? [],
    can_write: isAtLeast(level, 'write'),
  };
}
