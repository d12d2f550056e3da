import {
  AnswerInvitationInput,
  Calendar,
  CalendarShared,
  ChangeEventInput,
  CreateCalendarInput,
  CreateEventInput,
  DeleteEventInput,
  EventDeleted,
  EventSaved,
  EventWindow,
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
import { answerInvitation } from './answer-invitation.ts';
import { changeEvent } from './change-event.ts';
import { createCalendar } from './create-calendar.ts';
import { createEvent } from './create-event.ts';
import { deleteEvent } from './delete-event.ts';
import { listCalendars } from './list-calendars.ts';
import { listEvents } from './list-events.ts';
import { setReminders } from './set-reminders.ts';
import { shareCalendar } from './share-calendar.ts';

const tag = 'Calendar';

export const calendarRouter = router({
  list: accountProcedure({
    rest: 'GET /v1/me/calendar/events',
    tag,
    summary: 'List the appointments of a window, repeating ones expanded',
    description:
      'One entry per occurrence that overlaps the window: at most 92 days, by default 31 from the start of today.',
    scope: 'calendar:read',
    errors: ['invalid_window', 'window_too_wide', 'calendar_not_permitted'],
    input: ListEventsInput,
    output: EventWindow,
  }).query(({ ctx, input }) => listEvents(ctx, input)),

  calendars: accountProcedure({
    tag,
    summary: 'List the calendars that the caller may open, with their level',
    scope: 'calendar:read',
    input: NoInput,
    output: z.array(Calendar),
  }).query(({ ctx }) => listCalendars(ctx)),

  createCalendar: accountProcedure({
    tag,
    summary: 'Make a calendar of one’s own',
    description: `A person owns at most ${MAX_CALENDARS_OWNED} in a workspace.`,
    scope: 'calendar:write',
    status: [201],
    errors: ['calendar_not_permitted', 'calendar_limit_reached'],
    input: CreateCalendarInput,
    output: Calendar,
  }).mutation(({ ctx, input }) => createCalendar(ctx, input)),

  create: accountProcedure({
    tag,
    summary: 'Put an event into a calendar',
    description: `A calendar holds at most ${MAX_EVENTS_PER_CALENDAR} events.`,
    scope: 'calendar:write',
    errors: ['resource_not_found', 'forbidden', 'event_limit_reached'],
    input: CreateEventInput,
    output: EventSaved,
  }).mutation(({ ctx, input }) => createEvent(ctx, input)),

  change: accountProcedure({
    tag,
    summary: 'Change an event: one occurrence, that and the following, or all',
    scope: 'calendar:write',
    errors: ['resource_not_found', 'forbidden', 'event_limit_reached'],
    input: ChangeEventInput,
    output: EventSaved,
  }).mutation(({ ctx, input }) => changeEvent(ctx, input)),

  delete: accountProcedure({
    tag,
    summary: 'Delete an event: one occurrence, that and the following, or all',
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

  share: accountProcedure({
    tag,
    summary: 'Share a calendar, or no longer',
    scope: 'calendar:write',
    errors: ['resource_not_found', 'forbidden'],
    input: ShareCalendarInput,
    output: CalendarShared,
  }).mutation(({ ctx, input }) => shareCalendar(ctx, input)),

  remind: accountProcedure({
    tag,
    summary: 'Set one’s own reminders of an event',
    scope: 'calendar:write',
    errors: ['resource_not_found', 'forbidden'],
    input: SetRemindersInput,
    output: RemindersSet,
  }).mutation(({ ctx, input }) => setReminders(ctx, input)),
});
