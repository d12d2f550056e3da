import {
  AnswerInvitationInput,
  BusyTimes,
  BusyTimesInput,
  Calendar,
  CalendarDeleted,
  CalendarDetails,
  CalendarPerson,
  CalendarRef,
  CalendarShared,
  CalendarStreamEvent,
  ChangeEventInput,
  CreateCalendarInput,
  CreateEventInput,
  DeleteCalendarInput,
  DeleteEventInput,
  EventDeleted,
  EventFile,
  EventFileInput,
  EventSaved,
  EventWindow,
  FindPeopleInput,
  FoundEvents,
  InvitationAnswered,
  ListEventsInput,
  MAX_CALENDARS_OWNED,
  MAX_CANCELLED_MEETINGS,
  MAX_EVENTS_PER_CALENDAR,
  ProposedTimes,
  ProposeTimesInput,
  RemindersSet,
  SearchEventsInput,
  SetRemindersInput,
  ShareCalendarInput,
  StreamCalendarsInput,
  UpdateCalendarInput,
} from '@firmdesk/contract';
import { z } from 'zod';
import { trackedStreamOf } from '../procedures/tracked-stream.ts';
import { accountProcedure, NoInput, router } from '../procedures/trpc.ts';
import { getBusyTimes } from './busy/busy-times.ts';
import { proposeTimes } from './busy/propose-times.ts';
import { getCalendarDetails } from './calendars/calendar-details.ts';
import { createCalendar } from './calendars/create-calendar.ts';
import { deleteCalendar } from './calendars/delete-calendar.ts';
import { listCalendars } from './calendars/list-calendars.ts';
import { shareCalendar } from './calendars/share-calendar.ts';
import { streamCalendars } from './calendars/stream-calendars.ts';
import { updateCalendar } from './calendars/update-calendar.ts';
import { changeEvent } from './events/change-event.ts';
import { createEvent } from './events/create-event.ts';
import { deleteEvent } from './events/delete-event.ts';
import { exportEvent } from './ics/export-event.ts';
import { answerInvitation } from './invitations/answer-invitation.ts';
import { setReminders } from './reminders/set-reminders.ts';
import { findPeople } from './scheduling/find-people.ts';
import { searchEvents } from './search/search-events.ts';
import { listEvents } from './window/list-events.ts';

const tag = 'Calendar';

export const calendarRouter = router({
  list: accountProcedure({
    rest: 'GET /v1/me/calendar/events',
    conditional: true,
    tag,
    summary: 'List the events of a window, with recurring events expanded',
    description:
      'One entry per occurrence that overlaps the window: at most 92 days, by default 31 from the start of today.',
    scope: 'calendar:read',
    errors: ['invalid_window', 'window_too_wide', 'calendar_not_permitted'],
    input: ListEventsInput,
    output: EventWindow,
  }).query(({ ctx, input }) => listEvents(ctx, input)),

  calendars: accountProcedure({
    tag,
    summary: 'List the calendars that the caller can access, with the access level',
    scope: 'calendar:read',
    input: NoInput,
    output: z.array(Calendar),
  }).query(({ ctx }) => listCalendars(ctx)),

  createCalendar: accountProcedure({
    tag,
    summary: 'Create a calendar',
    description: `An account can own at most ${MAX_CALENDARS_OWNED} calendars in a workspace.`,
    scope: 'calendar:write',
    status: [201],
    errors: ['calendar_not_permitted', 'calendar_limit_reached'],
    input: CreateCalendarInput,
    output: Calendar,
  }).mutation(({ ctx, input }) => createCalendar(ctx, input)),

  calendarDetails: accountProcedure({
    tag,
    summary: 'Get with whom a calendar of the caller is shared, and how many events it has',
    scope: 'calendar:read',
    errors: ['resource_not_found', 'forbidden'],
    input: CalendarRef,
    output: CalendarDetails,
  }).query(({ ctx, input }) => getCalendarDetails(ctx, input)),

  updateCalendar: accountProcedure({
    tag,
    summary: 'Change the name, the colour or the visibility of a calendar of the caller',
    scope: 'calendar:write',
    errors: ['resource_not_found', 'forbidden'],
    input: UpdateCalendarInput,
    output: Calendar,
  }).mutation(({ ctx, input }) => updateCalendar(ctx, input)),

  deleteCalendar: accountProcedure({
    tag,
    summary: 'Delete a calendar of the caller, with its events or after moving them',
    description: `The guests of deleted events to come get a cancellation by mail; more than ${MAX_CANCELLED_MEETINGS} such events must be moved.`,
    scope: 'calendar:write',
    errors: ['resource_not_found', 'forbidden', 'event_limit_reached'],
    input: DeleteCalendarInput,
    output: CalendarDeleted,
  }).mutation(({ ctx, input }) => deleteCalendar(ctx, input)),

  live: accountProcedure({
    tag,
    summary: 'Follow changes of the calendars that the caller can access',
    scope: 'calendar:read',
    input: StreamCalendarsInput,
    output: trackedStreamOf(CalendarStreamEvent),
  }).subscription(({ ctx, input, signal }) => streamCalendars(ctx, input, signal!)),

  search: accountProcedure({
    tag,
    summary: 'Find events by words',
    description:
      'In the calendars that the caller can read. A recurring event is found once, with its next occurrence.',
    scope: 'calendar:read',
    input: SearchEventsInput,
    output: FoundEvents,
  }).query(({ ctx, input }) => searchEvents(ctx, input)),

  create: accountProcedure({
    tag,
    summary: 'Create an event',
    description: `A calendar can have at most ${MAX_EVENTS_PER_CALENDAR} events.`,
    scope: 'calendar:write',
    errors: ['resource_not_found', 'forbidden', 'event_limit_reached'],
    input: CreateEventInput,
    output: EventSaved,
  }).mutation(({ ctx, input }) => createEvent(ctx, input)),

  change: accountProcedure({
    tag,
    summary: 'Change one occurrence of an event, this and the following ones, or all',
    scope: 'calendar:write',
    errors: ['resource_not_found', 'forbidden', 'event_limit_reached'],
    input: ChangeEventInput,
    output: EventSaved,
  }).mutation(({ ctx, input }) => changeEvent(ctx, input)),

  delete: accountProcedure({
    tag,
    summary: 'Delete one occurrence of an event, this and the following ones, or all',
    scope: 'calendar:write',
    errors: ['resource_not_found', 'forbidden'],
    input: DeleteEventInput,
    output: EventDeleted,
  }).mutation(({ ctx, input }) => deleteEvent(ctx, input)),

  answer: accountProcedure({
    tag,
    summary: 'Answer an invitation',
    scope: 'calendar:write',
    errors: ['resource_not_found', 'forbidden'],
    input: AnswerInvitationInput,
    output: InvitationAnswered,
  }).mutation(({ ctx, input }) => answerInvitation(ctx, input)),

  people: accountProcedure({
    tag,
    summary: 'Find colleagues by a part of their name or address',
    description: 'The first ten administrators of the firm, for one of them; nobody for other members.',
    scope: 'calendar:read',
    input: FindPeopleInput,
    output: z.array(CalendarPerson),
  }).query(({ ctx, input }) => findPeople(ctx, input)),

  busyTimes: accountProcedure({
    tag,
    summary: 'Get when colleagues are busy',
    description:
      'From the calendars that a colleague owns, except those that hide it, and those shared with the caller. Pending invitations and whole days count.',
    scope: 'calendar:read',
    errors: ['resource_not_found', 'invalid_window', 'window_too_wide'],
    input: BusyTimesInput,
    output: BusyTimes,
  }).query(({ ctx, input }) => getBusyTimes(ctx, input)),

  proposeTimes: accountProcedure({
    tag,
    summary: 'Propose the next times at which colleagues are free, in business hours',
    scope: 'calendar:read',
    errors: ['resource_not_found'],
    input: ProposeTimesInput,
    output: ProposedTimes,
  }).query(({ ctx, input }) => proposeTimes(ctx, input)),

  ics: accountProcedure({
    tag,
    summary: 'Get an event as an iCalendar document',
    scope: 'calendar:read',
    errors: ['resource_not_found', 'forbidden'],
    input: EventFileInput,
    output: EventFile,
  }).query(({ ctx, input }) => exportEvent(ctx, input)),

  share: accountProcedure({
    tag,
    summary: 'Share a calendar, or end a share',
    scope: 'calendar:write',
    errors: ['resource_not_found', 'forbidden'],
    input: ShareCalendarInput,
    output: CalendarShared,
  }).mutation(({ ctx, input }) => shareCalendar(ctx, input)),

  remind: accountProcedure({
    tag,
    summary: 'Replace the caller’s own reminders of an event',
    scope: 'calendar:write',
    errors: ['resource_not_found', 'forbidden'],
    input: SetRemindersInput,
    output: RemindersSet,
  }).mutation(({ ctx, input }) => setReminders(ctx, input)),
});
