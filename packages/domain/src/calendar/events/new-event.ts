import type { EventSource, EventStatus } from '@firmdesk/contract';
import type { Conference } from '../calendar.entity.ts';

/**
 * An event to insert. A time is an ISO 8601 instant (with `Z` or an offset), or a wall time or a day in `timezone`. For an
 * all-day event, only the day of a time counts. `ends_at` is exclusive.
 */
export interface NewEvent {
  id?: number | null | undefined;
  calendar_id: number;
  uid?: string | null | undefined;
  sequence?: number | undefined;
  /** DTSTAMP, as an instant. */
  stamp?: string | null | undefined;
  /** The address that sent the invitation, for an event that came by mail. */
  sender?: string | null | undefined;
  title: string;
  description?: string | null | undefined;
  location?: string | null | undefined;
  starts_at: string;
  ends_at: string;
  all_day?: boolean | undefined;
  /** An IANA zone, an alias or a Windows name. */
  timezone: string;
  status?: EventStatus | undefined;
  source?: EventSource | undefined;
  /** An UNTIL of the wrong form is read as a local time of the zone. */
  recurrence_rule?: string | null | undefined;
  rdates?: readonly (string | { start: string; end: string })[] | undefined;
  exdates?: readonly string[] | undefined;
  overrides?: readonly NewOverride[] | undefined;
  conference?: { [field in keyof Conference]?: Conference[field] | undefined } | null | undefined;
  organizer?: { name?: string | null | undefined; email: string } | null | undefined;
  attendees?: readonly NewAttendee[] | undefined;
  /** Reminders, each of one account. */
  reminders?: readonly { user_id: string; minutes_before: number; channel: string }[] | undefined;
  tag_ids?: readonly number[] | undefined;
}

/** A stored event with all its lists, so that a changed copy can be passed to `replaceEvent`. */
export interface StoredEvent extends NewEvent {
  id: number | null;
  all_day: boolean;
  rdates: readonly (string | { start: string; end: string })[];
  exdates: readonly string[];
  overrides: readonly NewOverride[];
  attendees: readonly NewAttendee[];
}

export interface NewAttendee {
  name?: string | null | undefined;
  email: string;
  response?: string | undefined;
  is_organizer?: boolean | undefined;
  is_optional?: boolean | undefined;
  /** DTSTAMP of the answer, if it came by mail. */
  answered_at?: string | null | undefined;
}

/** A changed occurrence. An omitted field is as in the series; an empty text removes the text of the series. */
export interface NewOverride {
  occurrence_start: string;
  sequence?: number | undefined;
  stamp?: string | null | undefined;
  cancelled?: boolean | null | undefined;
  this_and_future?: boolean | undefined;
  starts_at?: string | null | undefined;
  ends_at?: string | null | undefined;
  all_day?: boolean | null | undefined;
  title?: string | null | undefined;
  description?: string | null | undefined;
  location?: string | null | undefined;
  status?: EventStatus | null | undefined;
}
