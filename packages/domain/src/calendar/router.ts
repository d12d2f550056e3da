import {
  AnswerInvitationInput,
  Calendar,
  CalendarPerson,
  CalendarShared,
  ChangeEventInput,
  CreateCalendarInput,
  CreateEventInput,
  DeleteEventInput,
  EventDeleted,
  EventFile,
  EventFileInput,
  EventSaved,
  EventWindow,
  FindPeopleInput,
  InvitationAnswered,
  ListEventsInput,
  MAX_CALENDARS_OWNED,
  MAX_EVENTS_PER_CALENDAR,
  RemindersSet,
  SetRemindersInput,
  ShareCalendarInput,
} from '@firmdesk/contract';
import { z } from 'zod';
import { accountProcedure, NoInput, router } from '../procedures/trpc.ts';
import { createCalendar } from './calendars/create-calendar.ts';
import { listCalendars } from './calendars/list-calendars.ts';
import { shareCalendar } from './calendars/share-calendar.ts';
import { changeEvent } from './events/change-event.ts';
import { createEvent } from './events/create-event.ts';
import { deleteEvent } from './events/delete-event.ts';
import { exportEvent } from './ics/export-event.ts';
import { answerInvitation } from './invitations/answer-invitation.ts';
import { setReminders } from './reminders/set-reminders.ts';
import { findPeople } from './scheduling/find-people.ts';
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
