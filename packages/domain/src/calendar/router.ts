import { EventWindow, ListEventsInput } from '@firmdesk/contract';
import { accountProcedure, router } from '../kernel/trpc.ts';
import { listEvents } from './list-events.ts';

export const calendarRouter = router({
  list: accountProcedure({
    rest: 'GET /v1/me/calendar/events',
    tag: 'Calendar',
    summary: 'List the appointments of a window, repeating ones expanded',
    description:
      'One entry per appearance that overlaps the window: at most 92 days, by default 31 from the start of today.',
    scope: 'calendar:read',
    errors: ['invalid_window', 'window_too_wide', 'calendar_not_permitted'],
    input: ListEventsInput,
    output: EventWindow,
  }).query(({ ctx, input }) => listEvents(ctx, input)),
});
