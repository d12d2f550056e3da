import type { Window } from '@firmdesk/recurrence';
import { LoopYielder } from '../../platform/process/loop-yielder.ts';
import { TaskLimitError } from '../../platform/process/threads.ts';
import { LOOP_STEPS, WINDOW_LOOP_STEPS, WINDOW_STEPS } from '../limits.ts';
import { runTaskInThread, type TaskCaller } from '../tasks/run-task.ts';
import { type Expandable, type ExpandedEvents, expandInto, firstOccurrenceOf } from './expand-events.ts';
import { type EventOccurrence, OccurrenceList } from './occurrence-list.ts';

/** The maximum number of events that the event loop expands at a time, within {@link LOOP_STEPS}. */
const SLICE_EVENTS = 200;

/** The maximum number of events, and of their listed dates, that a thread expands at a time. */
const BATCH_EVENTS = 1_000;
const BATCH_DATES = 20_000;

export interface ExpandedWindow<E> {
  /** At most `limit`. */
  occurrences: EventOccurrence<E>[];
  /** Whether there may be more: more than `limit`, or only the first occurrence of an event that takes too much work. */
  truncated: boolean;
}

/**
 * Returns the first `limit` occurrences of events in a window, sorted by start, end, id of the event and recurrence id. The
 * event loop does the first part of the work, threads do the rest, up to {@link WINDOW_STEPS}. Of the remaining events, only
 * the first occurrence is included, and the log names them.
 */
export async function expandWindow<E extends Expandable>(
  events: readonly E[],
  window: Window,
  limit: number,
  caller: TaskCaller,
): Promise<ExpandedWindow<E>> {
  const list = new OccurrenceList<E>(window, limit);
  const unexpanded: number[] = [];
  let processed = 0;
  const count = (expanded: Omit<ExpandedEvents<E>, 'occurrences'>) => {
    unexpanded.push(...expanded.unexpanded);
    processed += expanded.processed;
  };
  const yielder = new LoopYielder();
  const onLoop = { steps: WINDOW_LOOP_STEPS };
  for (let isLarge = false; processed < events.length && onLoop.steps > 0 && !isLarge; ) {
    await yielder.yieldIfDue();
    const slice = { steps: Math.min(LOOP_STEPS, onLoop.steps) };
    onLoop.steps -= slice.steps;
    const expanded = expandInto(list, events.slice(processed, processed + SLICE_EVENTS), limit, slice);
    onLoop.steps += slice.steps;
    isLarge = expanded.processed === 0;
    count(expanded);
  }
  const budget = { steps: WINDOW_STEPS };
  while (processed < events.length && budget.steps > 0) {
    const batch = events.slice(processed, endOfBatch(events, processed));
    const { spent, ...expanded } = await expandInThread(batch, list.window, limit, budget.steps, caller);
    budget.steps -= spent;
    list.addAll(expanded.occurrences);
    count(expanded);
  }
  for (const event of events.slice(processed)) {
    await yielder.yieldIfDue();
    unexpanded.push(event.id);
    list.addAll(firstOccurrenceOf(event, list.window));
  }
  if (unexpanded.length > 0)
    caller.log.warn(
      { events: unexpanded.slice(0, 20), count: unexpanded.length },
      'events cannot be expanded: only their first occurrence is shown',
    );
  const found = list.first();
  return {
    occurrences: found.slice(0, limit),
    truncated: found.length > limit || unexpanded.length > 0,
  };
}

async function expandInThread<E extends Expandable>(
  events: readonly E[],
  window: Window,
  limit: number,
  steps: number,
  { queue, log }: TaskCaller,
): Promise<ExpandedEvents<E> & { spent: number }> {
  const sent = events.map(withoutTexts);
  try {
    const { occurrences, ...expanded } = await runTaskInThread(
      queue,
      Number.POSITIVE_INFINITY,
      'expandBatch',
      sent,
      window,
      limit,
      steps,
    );
    return {
      ...expanded,
      occurrences: occurrences.map(({ event: index, override, ...times }) => {
        const event = events[index]!;
        return { ...times, event, override: override === null ? null : event.overrides![override]! };
      }),
    };
  } catch (error) {
    if (!(error instanceof TaskLimitError)) throw error;
    log.warn({ limit: error.limit }, 'a window takes too much time or memory to expand');
    return { occurrences: [], unexpanded: [], processed: 0, spent: steps };
  }
}

/** Returns the index after the events that a thread expands next, from an index on. */
function endOfBatch(events: readonly Expandable[], from: number): number {
  let dates = 0;
  let end = from;
  while (end < events.length && end - from < BATCH_EVENTS && dates < BATCH_DATES) {
    const { added_dates, removed_dates, overrides } = events[end++]!;
    dates += (added_dates?.length ?? 0) + (removed_dates?.length ?? 0) + (overrides?.length ?? 0);
  }
  return end;
}

/** Returns only the fields that a thread needs. */
function withoutTexts(event: Expandable): Expandable {
  return {
    id: event.id,
    local_start: event.local_start,
    local_end: event.local_end,
    all_day: event.all_day,
    timezone: event.timezone,
    recurrence_rule: event.recurrence_rule,
    added_dates: event.added_dates,
    removed_dates: event.removed_dates,
    overrides:
      event.overrides?.map((override) => ({ ...override, title: null, description: null, location: null })) ??
      null,
    is_partial: event.is_partial,
  };
}
