import { z } from 'zod';
import { answerOf, failsWith, Timestamp } from './fields.ts';
import { IntegerId } from './ids.ts';

export const shareLevels = ['busy', 'read', 'write'] as const;
export type ShareLevel = (typeof shareLevels)[number];

export const eventStatuses = ['confirmed', 'pending'] as const;
export type EventStatus = (typeof eventStatuses)[number];

export const eventSources = ['manual', 'mail', 'import'] as const;
export type EventSource = (typeof eventSources)[number];

/** What an attendee may have answered. An import may bring others: a reader takes any text. */
export const attendeeResponses = ['needs_action', 'accepted', 'declined', 'tentative'] as const;
export type AttendeeResponse = (typeof attendeeResponses)[number];

export const reminderChannels = ['push', 'email'] as const;
export type ReminderChannel = (typeof reminderChannels)[number];

/** Contract §8. */
export const WINDOW_DAYS = 92;
export const WINDOW_DEFAULT_DAYS = 31;

/** Appearances of one answer. */
export const WINDOW_EVENTS = 10_000;

const Conference = z.object({
  provider: z
    .string()
    .nullable()
    .meta({ examples: ['zoom', 'google_meet', 'teams', 'other'] }),
  url: z.string().nullable(),
  meeting_id: z.string().nullable(),
  passcode: z.string().nullable(),
});

const Attendee = z.object({
  name: z.string().nullable(),
  email: z.string(),
  response: z.string().meta({ examples: [...attendeeResponses] }),
  is_organizer: z.boolean(),
  is_optional: z.boolean(),
});

const Reminder = z.object({
  minutes_before: z.int(),
  channel: z.string().meta({ examples: [...reminderChannels] }),
});

const EventTag = z.object({ id: IntegerId, name: z.string(), color: z.string() });

/** One appearance in a window (contract §2.2). */
export const CalendarEvent = z.object({
  object: z.literal('calendar_event'),
  id: IntegerId,
  occurrence_start: Timestamp.nullable().meta({
    description: 'Where the rule had placed this appearance; null for an event that does not repeat',
  }),
  calendar_id: IntegerId,
  title: z.string(),
  description: z.string().nullable(),
  location: z.string().nullable(),
  starts_at: Timestamp,
  ends_at: Timestamp,
  all_day: z.boolean(),
  timezone: z.string().meta({ description: 'IANA zone' }),
  status: z.enum(eventStatuses),
  source: z.enum(eventSources),
  is_recurring: z.boolean(),
  recurrence_rule: z.string().nullable().meta({ description: 'RFC 5545 RRULE value' }),
  conference: Conference,
  organizer: z.object({ name: z.string().nullable(), email: z.string().nullable() }),
  attendees: z.array(Attendee),
  reminders: z.array(Reminder).meta({ description: 'The caller’s own' }),
  tags: z.array(EventTag),
  can_write: z.boolean(),
});
export type CalendarEvent = z.infer<typeof CalendarEvent>;

const WindowBound = z
  .string()
  .optional()
  .register(failsWith, { code: 'invalid_date' })
  .meta({
    description: 'ISO 8601 date or date-time; without an offset in the account’s zone',
    examples: ['2026-11-21', '2026-11-21T09:30:00Z'],
  });

/** Contract §4.6. */
export const ListEventsInput = z.object({
  from: WindowBound,
  until: WindowBound,
  'calendars[]': z
    .array(z.string())
    .optional()
    .meta({ description: 'Ids of calendars; those that the caller cannot see are ignored' }),
});
export type ListEventsInput = z.infer<typeof ListEventsInput>;

export const EventWindow = answerOf(
  z.array(CalendarEvent),
  z.object({
    from: Timestamp,
    until: Timestamp,
    truncated: z
      .literal(true)
      .optional()
      .meta({ description: `There are more than ${WINDOW_EVENTS} appearances; these are the first` }),
  }),
);
export type EventWindow = z.infer<typeof EventWindow>;
