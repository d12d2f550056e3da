import * as z from 'zod';
import { Email } from './email.ts';
import {
  attendeeResponses,
  eventExtents,
  eventSources,
  eventStatuses,
  reminderChannels,
  shareLevels,
} from './enumerations.ts';
import { AnyText, answerOf, fieldErrorCodes, Line, Timestamp, VisibleLine } from './fields.ts';
import { IntegerId, idOf } from './ids.ts';
import { MAX_WINDOW_OCCURRENCES } from './limits.ts';

const Conference = z.object({
  provider: z
    .string()
    .nullable()
    .meta({ description: 'The conference’s service', examples: ['zoom', 'google_meet', 'teams', 'other'] }),
  url: z.string().nullable().meta({ description: 'The link to join' }),
  meeting_id: z.string().nullable().meta({ description: 'The number to join by telephone or in the app' }),
  passcode: z.string().nullable().meta({ description: 'The passcode to join' }),
});

const Attendee = z.object({
  name: z.string().nullable().meta({ description: 'The display name' }),
  email: z.string().meta({ description: 'The address of the attendee' }),
  response: z
    .string()
    .meta({ description: 'The response to the invitation', examples: [...attendeeResponses] }),
  is_organizer: z.boolean().meta({ description: 'Whether the attendee organizes the event' }),
  is_optional: z.boolean().meta({ description: 'Whether the attendance is optional' }),
});

const Reminder = z.object({
  minutes_before: z.int().meta({ description: 'Minutes between the reminder and the start' }),
  channel: z.string().meta({ description: 'How the caller is reminded', examples: [...reminderChannels] }),
});

const EventTag = z.object({
  id: IntegerId.meta({ description: 'The id of the tag' }),
  name: z.string().meta({ description: 'The name to show to users' }),
  color: z.string().meta({ description: 'The color to show, in hexadecimal' }),
});

/** One occurrence in a window (contract §2.2). */
export const CalendarEvent = z.object({
  object: z.literal('calendar_event'),
  id: IntegerId.meta({ description: 'The id of the event, which all occurrences of a series share' }),
  occurrence_start: Timestamp.nullable().meta({
    description:
      'The recurrence id: the start that the rule gives this occurrence; null for an event that does not repeat',
  }),
  calendar_id: IntegerId.meta({ description: 'The calendar that holds the event' }),
  title: z.string().meta({ description: '`Busy` if the caller may only see that time is taken' }),
  description: z.string().nullable().meta({ description: 'The text of the event' }),
  location: z
    .string()
    .nullable()
    .meta({ description: 'The place of the event', examples: ['Room 4'] }),
  starts_at: Timestamp.meta({ description: 'The start of the occurrence; ISO 8601, UTC' }),
  ends_at: Timestamp.meta({ description: 'The end of the occurrence, exclusive; ISO 8601, UTC' }),
  all_day: z.boolean().meta({ description: 'Whether the occurrence takes whole days in `timezone`' }),
  timezone: z.string().meta({ description: 'The IANA zone in which the event repeats' }),
  status: z.enum(eventStatuses).meta({ description: 'pending: an invitation without a response' }),
  source: z.enum(eventSources).meta({ description: 'The origin of the event' }),
  is_recurring: z.boolean().meta({ description: 'Whether the event repeats' }),
  recurrence_rule: z.string().nullable().meta({ description: 'RFC 5545 RRULE value' }),
  conference: Conference,
  organizer: z.object({
    name: z.string().nullable().meta({ description: 'The display name' }),
    email: z.string().nullable().meta({ description: 'The address of the organizer' }),
  }),
  attendees: z.array(Attendee).meta({ description: 'The invited people' }),
  reminders: z.array(Reminder).meta({ description: 'The caller’s own' }),
  tags: z.array(EventTag).meta({ description: 'The labels of the event' }),
  can_write: z.boolean().meta({ description: 'Whether the caller may change the event' }),
});
export type CalendarEvent = z.infer<typeof CalendarEvent>;

const WindowBound = z
  .string()
  .optional()
  .register(fieldErrorCodes, { code: 'invalid_date' })
  .meta({
    description: 'ISO 8601 date or date-time; without an offset, in the account’s time zone',
    examples: ['2026-11-21', '2026-11-21T09:30:00Z'],
  });

/** The query of the event list (contract §4.6). */
export const ListEventsInput = z.object({
  from: WindowBound,
  until: WindowBound,
  'calendars[]': z
    .array(z.string())
    .optional()
    .meta({
      description: 'Ids of calendars; those that the caller cannot see are ignored',
      examples: [['1', '2']],
    }),
});
export type ListEventsInput = z.infer<typeof ListEventsInput>;

/** The occurrences of a window, sorted by start. `from` and `until` are the bounds that were used. */
export const EventWindow = answerOf(
  z.array(CalendarEvent),
  z.object({
    from: Timestamp,
    until: Timestamp,
    truncated: z
      .literal(true)
      .optional()
      .meta({
        description: `There may be more: the window has more than ${MAX_WINDOW_OCCURRENCES} occurrences or 16 MiB of text, or an event took too much work to expand and only its first occurrence is included`,
        examples: [true],
      }),
  }),
);
export type EventWindow = z.infer<typeof EventWindow>;

/** A calendar that the caller may open, with the caller's access level. */
export const Calendar = z.object({
  object: z.literal('calendar'),
  id: IntegerId,
  name: z.string(),
  level: z.enum([...shareLevels, 'owner']),
  owner: z.object({ id: idOf('user'), name: z.string() }),
});
export type Calendar = z.infer<typeof Calendar>;

export const CreateCalendarInput = z.object({
  name: VisibleLine.max(100),
});

const MAX_REMINDERS = 10;

/** Maximum lead time of a reminder: four weeks. */
const MAX_MINUTES_BEFORE = 40_320;

const EventTime = z
  .string()
  .max(40)
  .meta({
    description: 'ISO 8601; without an offset, in `timezone`; for an all-day event, the day',
    examples: ['2026-11-21T09:30:00Z', '2026-11-21T09:30:00', '2026-11-21'],
  });

const NewReminders = z
  .array(
    z.object({
      minutes_before: z.int().nonnegative().max(MAX_MINUTES_BEFORE),
      channel: z.enum(reminderChannels),
    }),
  )
  .max(MAX_REMINDERS);

const eventFields = {
  title: VisibleLine.max(1_000),
  description: AnyText.max(20_000).nullable(),
  location: AnyText.max(2_000).nullable(),
  starts_at: EventTime,
  ends_at: EventTime.meta({ description: 'Exclusive' }),
  all_day: z.boolean(),
  timezone: z.string().max(120).meta({ description: 'IANA zone; by default the account’s' }),
  recurrence_rule: z.string().max(2_000).nullable().meta({ description: 'RFC 5545 RRULE value' }),
  conference: z
    .object({
      provider: Line.max(50).nullish(),
      url: z
        .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
        .max(2_000)
        .nullish(),
      meeting_id: Line.max(200).nullish(),
      passcode: Line.max(200).nullish(),
    })
    .nullable(),
  attendees: z
    .array(
      z.object({
        name: Line.max(200).nullish(),
        email: Email,
        response: z.enum(attendeeResponses).optional(),
        is_organizer: z.boolean().optional(),
        is_optional: z.boolean().optional(),
      }),
    )
    .max(200),
  tag_ids: z.array(IntegerId).max(50),
};

const anyEventFields = z.object(eventFields).partial();

export const CreateEventInput = anyEventFields.extend({
  calendar_id: IntegerId,
  title: eventFields.title,
  starts_at: eventFields.starts_at,
  ends_at: eventFields.ends_at,
  reminders: NewReminders.optional().meta({ description: 'The caller’s own' }),
});
export type CreateEventInput = z.infer<typeof CreateEventInput>;

/** The occurrence that a call changes or deletes. */
const OccurrenceRef = z.object({
  id: IntegerId,
  occurrence_start: Timestamp.nullable()
    .default(null)
    .meta({ description: 'The recurrence id of the occurrence; null for an event that does not repeat' }),
  extent: z.enum(eventExtents).default('this'),
});

/** Omitted fields stay unchanged. `starts_at` and `ends_at` are those of the named occurrence. */
export const ChangeEventInput = anyEventFields.extend(OccurrenceRef.shape);
export type ChangeEventInput = z.infer<typeof ChangeEventInput>;

export const DeleteEventInput = OccurrenceRef;
export type DeleteEventInput = z.infer<typeof DeleteEventInput>;

/** `id` is the event that now holds the occurrence: a new one if the series was split. */
export const EventSaved = z.object({ object: z.literal('event_saved'), id: IntegerId });
export type EventSaved = z.infer<typeof EventSaved>;

export const EventDeleted = z.object({ object: z.literal('event_deleted'), id: IntegerId });
export type EventDeleted = z.infer<typeof EventDeleted>;

export const AnswerInvitationInput = z.object({
  id: IntegerId,
  response: z.enum(['accepted', 'tentative', 'declined']),
});
export type AnswerInvitationInput = z.infer<typeof AnswerInvitationInput>;

export const InvitationAnswered = z.object({
  object: z.literal('invitation_answered'),
  id: IntegerId,
  response: z.enum(attendeeResponses),
});
export type InvitationAnswered = z.infer<typeof InvitationAnswered>;

export const ShareCalendarInput = z.object({
  calendar_id: IntegerId,
  user_id: idOf('user'),
  level: z.enum(shareLevels).nullable().meta({ description: 'Null removes the share' }),
});
export type ShareCalendarInput = z.infer<typeof ShareCalendarInput>;

export const FindPeopleInput = z.object({
  q: z.string().max(100).meta({ description: 'A part of a name or an address, in any case' }),
});

/** A colleague who can be invited, or with whom a calendar can be shared. */
export const CalendarPerson = z.object({
  object: z.literal('calendar_person'),
  id: idOf('user'),
  name: z.string(),
  email: z.string(),
});
export type CalendarPerson = z.infer<typeof CalendarPerson>;

export const EventFileInput = z.object({ id: IntegerId });

/** An event with all its occurrences as an iCalendar document (RFC 5545). */
export const EventFile = z.object({ object: z.literal('event_file'), id: IntegerId, ics: z.string() });
export type EventFile = z.infer<typeof EventFile>;

export const CalendarShared = z.object({
  object: z.literal('calendar_shared'),
  calendar_id: IntegerId,
  user_id: idOf('user'),
  level: z.enum(shareLevels).nullable(),
});
export type CalendarShared = z.infer<typeof CalendarShared>;

export const SetRemindersInput = z.object({ id: IntegerId, reminders: NewReminders });
export type SetRemindersInput = z.infer<typeof SetRemindersInput>;

export const RemindersSet = z.object({
  object: z.literal('reminders_set'),
  id: IntegerId,
  reminders: z.array(Reminder),
});
export type RemindersSet = z.infer<typeof RemindersSet>;
