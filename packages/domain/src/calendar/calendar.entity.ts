import type { EventSource, EventStatus, ShareLevel } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { Tag } from '../access/tag.entity.ts';
import { User } from '../access/user.entity.ts';
import { Workspace } from '../access/workspace.entity.ts';

export const CalendarSchema = defineEntity({
  name: 'Calendar',
  tableName: 'calendars',
  properties: {
    id: p.integer().primary(),
    workspaceId: p.manyToOne(Workspace).mapToPk().fieldName('workspace_id'),
    ownerId: p.manyToOne(User).mapToPk().fieldName('owner_id'),
    name: p.text(),
    createdAt: p.datetime(3),
  },
});
export class Calendar extends CalendarSchema.class {}
CalendarSchema.setClass(Calendar);

export const CalendarShareSchema = defineEntity({
  name: 'CalendarShare',
  tableName: 'calendar_shares',
  properties: {
    calendarId: p.manyToOne(Calendar).mapToPk().primary().fieldName('calendar_id'),
    userId: p.manyToOne(User).mapToPk().primary().fieldName('user_id'),
    level: p.text().$type<ShareLevel>(),
  },
});
export class CalendarShare extends CalendarShareSchema.class {}
CalendarShareSchema.setClass(CalendarShare);

export interface Conference {
  provider: string | null;
  url: string | null;
  meeting_id: string | null;
  passcode: string | null;
}

export interface Attendee {
  name: string | null;
  email: string;
  response: string;
  is_organizer: boolean;
  is_optional: boolean;
}

/** An added occurrence (RDATE): its start, and its end where it has a length of its own (a PERIOD); stored times. */
export interface AddedDate {
  start: string;
  end?: string;
}

/**
 * A single appointment or a series. Times are kept as wall-clock text in `timezone` (`stored-time.ts`): that is what a
 * person agreed to, and a change of the zone's rules moves the instant, not the agreement. `spanStart` and `spanEnd`
 * bound every occurrence in UTC, for the range index.
 */
export const EventSchema = defineEntity({
  name: 'Event',
  tableName: 'events',
  properties: {
    id: p.integer().primary(),
    calendarId: p.manyToOne(Calendar).mapToPk().fieldName('calendar_id'),
    /** iCalendar UID (RFC 5545 §3.8.4.7), where the event came from another system. */
    uid: p.text().nullable(),
    sequence: p.integer().default(0),
    title: p.text(),
    description: p.text().nullable(),
    location: p.text().nullable(),
    localStart: p.text(),
    localEnd: p.text(),
    allDay: p.boolean().default(false),
    timezone: p.text(),
    status: p.text().$type<EventStatus>().default('confirmed'),
    source: p.text().$type<EventSource>().default('manual'),
    recurrenceRule: p.text().nullable(),
    addedDates: p.json().$type<AddedDate[]>(),
    /** Removed occurrences (EXDATE): the recurrence id of each, a stored time. */
    removedDates: p.json().$type<string[]>(),
    conference: p.json().$type<Conference>().nullable(),
    organizerName: p.text().nullable(),
    organizerEmail: p.text().nullable(),
    attendees: p.json().$type<Attendee[]>(),
    spanStart: p.datetime(3),
    /** Null for a series without an end. */
    spanEnd: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});
export class Event extends EventSchema.class {}
EventSchema.setClass(Event);

/**
 * One occurrence that differs from its series, or was cancelled, and with `thisAndFuture` all later ones too. It hides
 * the recurrence id that the rule gave it (`occurrenceStart`, a stored time). `spanStart` and `spanEnd` cover both that recurrence id and
 * where it was moved to. A field that is null is as in the series; an empty text takes the series' text away.
 */
export const EventOverrideSchema = defineEntity({
  name: 'EventOverride',
  tableName: 'event_overrides',
  properties: {
    eventId: p.manyToOne(Event).mapToPk().primary().fieldName('event_id'),
    occurrenceStart: p.text().primary(),
    calendarId: p.manyToOne(Calendar).mapToPk().fieldName('calendar_id'),
    sequence: p.integer().default(0),
    cancelled: p.boolean().default(false),
    thisAndFuture: p.boolean().default(false),
    localStart: p.text().nullable(),
    localEnd: p.text().nullable(),
    allDay: p.boolean().nullable(),
    title: p.text().nullable(),
    description: p.text().nullable(),
    location: p.text().nullable(),
    status: p.text().$type<EventStatus>().nullable(),
    spanStart: p.datetime(3),
    /** Null when it holds for all time to come. */
    spanEnd: p.datetime(3).nullable(),
  },
});
export class EventOverride extends EventOverrideSchema.class {}
EventOverrideSchema.setClass(EventOverride);

export const EventTagSchema = defineEntity({
  name: 'EventTag',
  tableName: 'event_tags',
  properties: {
    eventId: p.manyToOne(Event).mapToPk().primary().fieldName('event_id'),
    tagId: p.manyToOne(Tag).mapToPk().primary().fieldName('tag_id'),
  },
});
export class EventTag extends EventTagSchema.class {}
EventTagSchema.setClass(EventTag);

/**
 * A person's own reminder. `dueAt` is the next moment to remind; null when no occurrence is left. What was due up to
 * `doneUntil` has been dealt with, so that no change of the event reminds twice.
 */
export const EventReminderSchema = defineEntity({
  name: 'EventReminder',
  tableName: 'event_reminders',
  properties: {
    eventId: p.manyToOne(Event).mapToPk().primary().fieldName('event_id'),
    userId: p.manyToOne(User).mapToPk().primary().fieldName('user_id'),
    minutesBefore: p.integer().primary(),
    channel: p.text().primary(),
    dueAt: p.datetime(3).nullable(),
    doneUntil: p.datetime(3),
  },
});
export class EventReminder extends EventReminderSchema.class {}
EventReminderSchema.setClass(EventReminder);
