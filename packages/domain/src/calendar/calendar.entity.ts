import type { CalendarColor, EventSource, EventStatus, ShareLevel } from '@firmdesk/contract';
import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../access/accounts/user.entity.ts';
import { Workspace } from '../access/workspaces/workspace.entity.ts';

export const CalendarSchema = defineEntity({
  name: 'Calendar',
  tableName: 'calendars',
  properties: {
    id: p.integer().primary().autoincrement(),
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    ownerId: p.manyToOne(User).mapToPk().fieldName('owner_id'),
    name: p.text(),
    /** Null: a client chooses one. */
    color: p.text().$type<CalendarColor>().nullable(),
    /** Whether colleagues who plan a meeting see at which times the owner is busy. */
    showsBusy: p.boolean().default(true),
    createdAt: p.datetime(3),
  },
});
export class Calendar extends CalendarSchema.class {}
CalendarSchema.setClass(Calendar);

export const CalendarShareSchema = defineEntity({
  name: 'CalendarShare',
  tableName: 'calendar_shares',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    calendarId: p.integer().primary(),
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
  /** DTSTAMP of the answer, if it came by mail. */
  answered_at?: string | null;
}

/** An added occurrence (RDATE), in stored times. `end` is set if it has a length of its own (a PERIOD). */
export interface AddedDate {
  start: string;
  end?: string;
}

/**
 * A single event or a series. Times are stored as wall-clock text in `timezone` (`stored-time.ts`): if the rules of the zone
 * change, the instant changes and the agreed wall time stays. `spanStart` and `spanEnd` bound every occurrence in UTC, for the
 * range index.
 */
export const EventSchema = defineEntity({
  name: 'Event',
  tableName: 'events',
  properties: {
    id: p.integer().columnType('bigint').primary().autoincrement(),
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    calendarId: p.integer(),
    /** The iCalendar UID (RFC 5545 §3.8.4.7) of an event from another system. */
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
    addedDates: p.json().$type<AddedDate[]>().default('[]'),
    /** Removed occurrences (EXDATE): their recurrence ids, as stored times. */
    removedDates: p.json().$type<string[]>().default('[]'),
    conference: p.json().$type<Conference>().nullable(),
    organizerName: p.text().nullable(),
    organizerEmail: p.text().nullable(),
    attendees: p.json().$type<Attendee[]>().default('[]'),
    /** Who sent the invitation, for an event that came by mail. */
    senderEmail: p.text().nullable(),
    /** DTSTAMP (RFC 5545 §3.8.7.2), which orders versions with one SEQUENCE. */
    stamp: p.datetime(3).nullable(),
    spanStart: p.datetime(3),
    /** Null for a series without an end. */
    spanEnd: p.datetime(3).nullable(),
    /** What a search reads (`search/search-text.ts`); null if the process of an earlier version has written it. */
    searchText: p.text().nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});
export class Event extends EventSchema.class {}
EventSchema.setClass(Event);

/**
 * An override: an occurrence that differs from its series or is cancelled; with `thisAndFuture`, all later ones too. It
 * replaces the occurrence with the recurrence id `occurrenceStart` (a stored time). `spanStart` and `spanEnd` cover both the
 * original and the new times. A null field is as in the series; an empty text removes the text of the series.
 */
export const EventOverrideSchema = defineEntity({
  name: 'EventOverride',
  tableName: 'event_overrides',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    eventId: p.integer().columnType('bigint').primary(),
    occurrenceStart: p.text().primary(),
    calendarId: p.integer(),
    sequence: p.integer().default(0),
    stamp: p.datetime(3).nullable(),
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
    /** Null for a `thisAndFuture` override without an end. */
    spanEnd: p.datetime(3).nullable(),
    /** Like that of an event, of its own texts. */
    searchText: p.text().nullable(),
  },
});
export class EventOverride extends EventOverrideSchema.class {}
EventOverrideSchema.setClass(EventOverride);

export const EventTagSchema = defineEntity({
  name: 'EventTag',
  tableName: 'event_tags',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    eventId: p.integer().columnType('bigint').primary(),
    tagId: p.integer().primary(),
  },
});
export class EventTag extends EventTagSchema.class {}
EventTagSchema.setClass(EventTag);

/**
 * A reminder of one account. `dueAt` is when it is next due, or null if no occurrence is left. Reminders that were due up to
 * `doneUntil` are handled, so that a change of the event does not repeat them.
 */
export const EventReminderSchema = defineEntity({
  name: 'EventReminder',
  tableName: 'event_reminders',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    eventId: p.integer().columnType('bigint').primary(),
    userId: p.manyToOne(User).mapToPk().primary().fieldName('user_id'),
    minutesBefore: p.integer().primary(),
    channel: p.text().primary(),
    dueAt: p.datetime(3).nullable(),
    doneUntil: p.datetime(3),
  },
});
export class EventReminder extends EventReminderSchema.class {}
EventReminderSchema.setClass(EventReminder);

/** The RECURRENCE-ID of an occurrence, as its message has it: a date or a time in its zone. */
export interface EndedOccurrence {
  time: { isDate: boolean; text: string; zone: string; date: string; isInstant: boolean };
  thisAndFuture: boolean;
}

/** The last version of an invitation, or of one of its occurrences, that is not in the calendar of an account (any more). */
export const EndedInvitationSchema = defineEntity({
  name: 'EndedInvitation',
  tableName: 'ended_invitations',
  properties: {
    id: p.integer().columnType('bigint').primary().autoincrement(),
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    userId: p.manyToOne(User).mapToPk().fieldName('user_id'),
    uid: p.text(),
    occurrence: p.json().$type<EndedOccurrence>().nullable(),
    senderEmail: p.text(),
    organizerEmail: p.text().nullable(),
    sequence: p.integer(),
    stamp: p.datetime(3).nullable(),
    endedAt: p.datetime(3),
  },
});
export class EndedInvitation extends EndedInvitationSchema.class {}
EndedInvitationSchema.setClass(EndedInvitation);
