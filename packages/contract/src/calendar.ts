import * as z from 'zod';
import { Email } from './mail/email.ts';
import { calendarColors, eventExtents } from './values/enumerations.ts';
import { AnyText, answerOf, fieldErrorCodes, Line, Timestamp, VisibleLine } from './values/fields.ts';
import { IntegerId, idOf } from './values/ids.ts';
import {
  MAX_BUSY_DAYS,
  MAX_BUSY_PEOPLE,
  MAX_EVENT_QUERY_LENGTH,
  MAX_FOUND_EVENTS,
  MAX_PROPOSED_TIMES,
  MAX_WINDOW_OCCURRENCES,
} from './values/limits.ts';
import { LastEventId } from './values/live.ts';
import {
  attendeeResponses,
  eventSources,
  eventStatuses,
  reminderChannels,
  shareLevels,
} from './values/schema-enumerations.ts';

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
  color: z.enum(calendarColors).nullable().meta({ description: 'Null: a client chooses one' }),
  level: z.enum([...shareLevels, 'owner']),
  owner: z.object({ id: idOf('user'), name: z.string() }),
});
export type Calendar = z.infer<typeof Calendar>;

const CalendarName = VisibleLine.max(100);
const Color = z.enum(calendarColors).nullable();

export const CreateCalendarInput = z.object({ name: CalendarName, color: Color.optional() });

export const CalendarRef = z.object({ calendar_id: IntegerId });

/** Omitted fields stay unchanged. */
export const UpdateCalendarInput = CalendarRef.extend({
  name: CalendarName.optional(),
  color: Color.optional().meta({ description: 'Null: clients choose one' }),
  shows_busy: z.boolean().optional(),
});
export type UpdateCalendarInput = z.infer<typeof UpdateCalendarInput>;

export const DeleteCalendarInput = CalendarRef.extend({
  move_events_to: IntegerId.nullable()
    .default(null)
    .meta({ description: 'The calendar that gets the events; null deletes them' }),
});
export type DeleteCalendarInput = z.infer<typeof DeleteCalendarInput>;

export const CalendarDeleted = z.object({
  object: z.literal('calendar_deleted'),
  id: IntegerId,
  events: z.int().meta({ description: 'How many events were deleted or moved' }),
});
export type CalendarDeleted = z.infer<typeof CalendarDeleted>;

/** What the owner of a calendar sees of it. */
export const CalendarDetails = z.object({
  object: z.literal('calendar_details'),
  id: IntegerId,
  shows_busy: z.boolean().meta({
    description:
      'Whether colleagues who plan a meeting see at which times its owner is busy, without more about the events',
  }),
  events: z.int().meta({ description: 'How many events it has' }),
  meetings: z
    .int()
    .meta({ description: 'How many of them are to come and have guests who were invited from here' }),
  shares: z.array(
    z.object({
      user: z.object({ id: idOf('user'), name: z.string(), email: z.string() }),
      level: z.enum(shareLevels),
    }),
  ),
});
export type CalendarDetails = z.infer<typeof CalendarDetails>;

export const StreamCalendarsInput = z.object({ lastEventId: LastEventId });

export const CalendarStreamEvent = z.discriminatedUnion('type', [
  /** Fetch the calendars and their events again. */
  z.object({ type: z.literal('calendars.changed') }),
  /** Fetch the events again. */
  z.object({ type: z.literal('events.changed') }),
  z.object({ type: z.literal('resync') }),
]);
export type CalendarStreamEvent = z.infer<typeof CalendarStreamEvent>;

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

export const SearchEventsInput = z.object({
  q: z.string().max(MAX_EVENT_QUERY_LENGTH).meta({
    description:
      'Words, each of which is in the title, the place or the text; in any case, with or without accents',
  }),
});

/** An event that was found: its next appearance, or its last one if none is to come. */
export const FoundEvent = CalendarEvent.pick({
  id: true,
  occurrence_start: true,
  calendar_id: true,
  title: true,
  location: true,
  starts_at: true,
  ends_at: true,
  all_day: true,
  timezone: true,
  is_recurring: true,
}).extend({ object: z.literal('found_event') });
export type FoundEvent = z.infer<typeof FoundEvent>;

/** At most 50: those to come, the next one first, then those that are over, the last one first. */
export const FoundEvents = z.object({
  data: z.array(FoundEvent).max(MAX_FOUND_EVENTS),
  meta: z.object({ has_more: z.boolean().meta({ description: 'Whether more events have the words' }) }),
});
export type FoundEvents = z.infer<typeof FoundEvents>;

const busyPeople = {
  emails: z
    .array(Email)
    .min(1)
    .max(MAX_BUSY_PEOPLE)
    .meta({ description: 'Addresses of colleagues, or of the caller' }),
  except_event: IntegerId.nullable()
    .default(null)
    .meta({ description: 'An event that is left out for everybody: the one that is being planned' }),
};

export const BusyTimesInput = z.object({
  ...busyPeople,
  from: Timestamp,
  until: Timestamp.meta({
    description: `At most ${MAX_BUSY_DAYS} days after \`from\``,
    examples: ['2026-11-22T09:30:00.000Z'],
  }),
});
export type BusyTimesInput = z.infer<typeof BusyTimesInput>;

/** When a person is busy. `title` only of an event that the caller can read; the other times are joined. */
export const BusyPerson = z.object({
  object: z.literal('busy_person'),
  email: z.string(),
  is_known: z
    .boolean()
    .meta({ description: 'Whether it is a colleague or the caller: of others nothing is known' }),
  busy: z.array(z.object({ starts_at: Timestamp, ends_at: Timestamp, title: z.string().nullable() })),
});
export type BusyPerson = z.infer<typeof BusyPerson>;

/** The people in the order of the call. */
export const BusyTimes = z.object({
  data: z.array(BusyPerson),
  meta: z.object({
    truncated: z
      .boolean()
      .meta({ description: 'Whether they may be busy at more times: there are too many events' }),
  }),
});
export type BusyTimes = z.infer<typeof BusyTimes>;

export const ProposeTimesInput = z.object({
  ...busyPeople,
  from: Timestamp.meta({
    description: `The first moment; times are looked for in the ${MAX_BUSY_DAYS} days after it`,
  }),
  minutes: z.int().min(5).max(480).meta({ description: 'How long the event takes' }),
  timezone: z
    .string()
    .max(120)
    .optional()
    .meta({ description: 'IANA zone of the organizer; by default the account’s' }),
});
export type ProposeTimesInput = z.infer<typeof ProposeTimesInput>;

/**
 * At most 5 times at which everybody who is known is free: in the firm's business hours, or without any from Monday to Friday, 09:00 to
 * 17:00; always between 07:00 and 20:00 in the organizer's zone.
 */
export const ProposedTimes = z.object({
  data: z.array(z.object({ starts_at: Timestamp, ends_at: Timestamp })).max(MAX_PROPOSED_TIMES),
  meta: z.object({
    unknown: z.array(z.string()).meta({ description: 'The addresses of which nothing is known' }),
    truncated: z.boolean().meta({ description: 'Whether somebody may be busy: there are too many events' }),
  }),
});
export type ProposedTimes = z.infer<typeof ProposedTimes>;

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
