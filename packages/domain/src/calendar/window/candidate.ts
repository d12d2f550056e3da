import type { CalendarEvent } from '@firmdesk/contract';
import type { AddedDate, Attendee, Conference } from '../calendar.entity.ts';
import type { AccessLevel } from '../calendars/access-level.ts';
import type { OverrideColumns } from '../events/series.ts';
import type { Expandable } from './expand-events.ts';

/** An event that may have an occurrence in the window. Empty lists are null. */
export interface Candidate extends Expandable {
  calendar_id: number;
  level: AccessLevel;
  title: string;
  description: string | null;
  location: string | null;
  status: CalendarEvent['status'];
  source: CalendarEvent['source'];
  conference: Conference | null;
  organizer_name: string | null;
  organizer_email: string | null;
  attendees: Attendee[] | null;
  /** How many bytes its texts have. */
  text_bytes: number;
  added_dates: AddedDate[] | null;
  removed_dates: string[] | null;
  overrides: OverrideColumns[] | null;
  reminders: { minutes_before: number; channel: string }[] | null;
  tags: { id: number; name: string; color: string }[] | null;
}
