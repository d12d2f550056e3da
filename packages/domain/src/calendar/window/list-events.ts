import { setImmediate } from 'node:timers/promises';
import {
  type EventWindow,
  type ListEventsInput,
  MAX_WINDOW_OCCURRENCES,
  readIntegerId,
} from '@firmdesk/contract';
import type { Window } from '@firmdesk/recurrence';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { WINDOW_BYTES } from '../limits.ts';
import { taskQueueOf } from '../tasks/run-task.ts';
import { expandWindow } from './expand-window.ts';
import { parseWindow } from './parse-window.ts';
import { addRemindersAndTags } from './reminders-and-tags.ts';
import { limitByTextSize, toCalendarEvents } from './to-calendar-event.ts';
import { findCandidates } from './window-query.ts';

/**
 * Returns the occurrences in a window, of all calendars that the caller can access or of the named ones (contract §4.6). Throws
 * `calendar_not_permitted`, then `invalid_date`, `invalid_window`, `window_too_wide`.
 */
export async function listEvents(ctx: AccountContext, input: ListEventsInput): Promise<EventWindow> {
  const { services, identity, workspace, now } = ctx;
  const caller = { userId: identity.user.id, workspaceId: workspace.id };
  const find = (window: Window, calendars: number[] | undefined) =>
    services.replica.read((pool) => findCandidates(pool, { ...caller, window, calendars }), services.pool);
  let window: Window;
  try {
    window = parseWindow(input, identity.user.timezone, now);
  } catch (error) {
    // `calendar_not_permitted` precedes the errors of the window (contract, G-10).
    if (!(await find({ from: now.getTime(), until: now.getTime() + 1 }, [])))
      throw new ApiError('calendar_not_permitted');
    throw error;
  }
  const calendars = input['calendars[]']?.map(readIntegerId).filter((id) => id !== null);
  const candidates = await find(window, calendars);
  if (!candidates) throw new ApiError('calendar_not_permitted');
  const { events } = candidates;
  const expand = () =>
    expandWindow(events, window, MAX_WINDOW_OCCURRENCES, { queue: taskQueueOf(ctx), log: services.log });
  const [found] = await Promise.all([
    // Reminders and tags are requested first; PostgreSQL reads them while the process expands the events.
    setImmediate().then(expand),
    services.replica.read((pool) => addRemindersAndTags(pool, caller, events), services.pool),
  ]);
  const occurrences = limitByTextSize(found.occurrences, WINDOW_BYTES);
  const truncated =
    candidates.isTruncated || found.truncated || occurrences.length < found.occurrences.length;
  const meta = {
    from: new Date(window.from).toISOString(),
    until: new Date(window.until).toISOString(),
    ...(truncated && { truncated }),
  };
  return { data: await toCalendarEvents(occurrences), meta };
}
