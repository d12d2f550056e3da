import {
  type EventWindow,
  type ListEventsInput,
  MAX_WINDOW_OCCURRENCES,
  readIntegerId,
} from '@firmdesk/contract';
import type { Window } from '@firmdesk/recurrence';
import { ApiError } from '../platform/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { expandWindow } from './expand-window.ts';
import { WINDOW_BYTES } from './limits.ts';
import { parseWindow } from './parse-window.ts';
import { taskQueueOf } from './tasks/run-task.ts';
import { limitByTextSize, serializeCalendarEvents, toCalendarEvents } from './to-calendar-event.ts';
import { findCandidates } from './window-query.ts';

/**
 * Returns the occurrences in a window, of all calendars that the caller can access or of the named ones (contract §4.6). Throws
 * `calendar_not_permitted`, then `invalid_date`, `invalid_window`, `window_too_wide`.
 */
export async function listEvents(ctx: AccountContext, input: ListEventsInput): Promise<EventWindow> {
  const { services, call, identity, workspace, now } = ctx;
  const find = (window: Window, calendars: number[] | undefined) =>
    findCandidates(services.pool, { userId: identity.user.id, workspaceId: workspace.id, window, calendars });
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
  const found = await expandWindow(candidates.events, window, MAX_WINDOW_OCCURRENCES, {
    queue: taskQueueOf(ctx),
    log: services.log,
  });
  const occurrences = await limitByTextSize(found.occurrences, WINDOW_BYTES);
  const truncated =
    candidates.isTruncated || found.truncated || occurrences.length < found.occurrences.length;
  const meta = {
    from: new Date(window.from).toISOString(),
    until: new Date(window.until).toISOString(),
    ...(truncated && { truncated }),
  };
  if (call.transport !== 'rest') return { data: await toCalendarEvents(occurrences), meta };
  // Serialized here, because the generic path (objects, output schema, serializer) would take longer than the query.
  const events = await serializeCalendarEvents(occurrences);
  call.reply.body = `{"data":${events},"meta":${JSON.stringify({ request_id: call.requestId, ...meta })}}`;
  return { data: [], meta };
}
