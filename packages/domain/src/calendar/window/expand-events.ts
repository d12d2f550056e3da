import {
  expand,
  expandSingle,
  limitWork,
  RecurrenceError,
  type Window,
  type WorkBudget,
} from '@firmdesk/recurrence';
import { type EventTimes, isRecurring, type OverrideColumns, seriesOf } from '../events/series.ts';
import { EVENT_STEPS } from '../limits.ts';
import { type EventOccurrence, OccurrenceList } from './occurrence-list.ts';

/** The fields of an event that determine when it takes place. */
export interface Expandable extends EventTimes {
  id: number;
  overrides: readonly OverrideColumns[] | null;
  /** Whether some overrides were not read, so that the event cannot be expanded. */
  is_partial: boolean;
}

export interface ExpandedEvents<E> {
  /** Sorted. One more than the limit if there are more. */
  occurrences: EventOccurrence<E>[];
  /** The ids of events that take too much work or are invalid. Only their first occurrence is included. */
  unexpanded: number[];
  /** The number of events that were processed before the budget was used. */
  processed: number;
}

/**
 * Returns the first `limit` occurrences of events in a window. Of an event that takes more than {@link EVENT_STEPS}, only the
 * first occurrence is included. Stops when the budget is used.
 */
export function expandEvents<E extends Expandable>(
  events: readonly E[],
  window: Window,
  limit: number,
  budget: WorkBudget,
): ExpandedEvents<E> {
  const list = new OccurrenceList<E>(window, limit);
  const { unexpanded, processed } = expandInto(list, events, limit, budget);
  return { occurrences: list.first(), unexpanded, processed };
}

/** {@link expandEvents}, adding to a list that may have occurrences of other events. */
export function expandInto<E extends Expandable>(
  list: OccurrenceList<E>,
  events: readonly E[],
  limit: number,
  budget: WorkBudget,
): Omit<ExpandedEvents<E>, 'occurrences'> {
  const unexpanded: number[] = [];
  let processed = 0;
  for (;;) {
    processed = addSingles(list, events, processed, budget);
    const event = events[processed];
    if (!event) return { unexpanded, processed };
    const own = { steps: Math.min(EVENT_STEPS, budget.steps) };
    try {
      if (event.is_partial) throw new RecurrenceError('too-much-work', 'Some overrides were not read');
      limitWork(budget, () => list.addAll(expandEvent(event, list.window, limit, own)));
    } catch (error) {
      if (!(error instanceof RecurrenceError)) throw error;
      if (budget.steps < 0) return { unexpanded, processed };
      unexpanded.push(event.id);
      list.addAll(firstOccurrenceOf(event, list.window));
    }
    processed++;
  }
}

/**
 * Adds the occurrences of successive events that take place once, within one budget: most events do, and a budget takes longer than
 * such an event. Returns the index of the first event that it did not add: one that recurs, is invalid, or exceeds the budget.
 */
function addSingles<E extends Expandable>(
  list: OccurrenceList<E>,
  events: readonly E[],
  from: number,
  budget: WorkBudget,
): number {
  let next = from;
  try {
    limitWork(budget, () => {
      for (; next < events.length && isSingle(events[next]!); next++) {
        const occurrence = singleOccurrenceOf(events[next]!, list.window);
        if (occurrence) list.add(occurrence);
      }
    });
  } catch (error) {
    if (!(error instanceof RecurrenceError)) throw error;
  }
  return next;
}

function isSingle(event: Expandable): boolean {
  return !isRecurring(event) && !event.removed_dates && !event.overrides && !event.is_partial;
}

/** Returns the occurrence of an event as if it took place once, without its rule and lists, or null if it does not overlap the window. Throws `RecurrenceError`. */
function singleOccurrenceOf<E extends Expandable>(event: E, window: Window): EventOccurrence<E> | null {
  const { local_start, local_end, timezone, all_day } = event;
  const times = expandSingle({ start: local_start, end: local_end, zone: timezone, allDay: all_day }, window);
  if (!times) return null;
  const { start, end } = times;
  return { event, recurrenceId: isRecurring(event) ? start : null, start, end, override: null };
}

/** Returns the occurrences of an event in a window. Throws `RecurrenceError`. */
function expandEvent<E extends Expandable>(
  event: E,
  window: Window,
  limit: number,
  budget: WorkBudget,
): EventOccurrence<E>[] {
  const repeats = isRecurring(event);
  const { occurrences } = limitWork(budget, () =>
    expand(seriesOf(event, event.overrides), window, { limit: limit + 1 }),
  );
  return occurrences.map(({ recurrenceId, start, end, override }) => ({
    event,
    recurrenceId: repeats ? recurrenceId : null,
    start,
    end,
    override: override?.row ?? null,
  }));
}

/** Returns the first occurrence of an event, without its rule and overrides, if it overlaps the window. */
export function firstOccurrenceOf<E extends Expandable>(event: E, window: Window): EventOccurrence<E>[] {
  try {
    const occurrence = limitWork({ steps: EVENT_STEPS }, () => singleOccurrenceOf(event, window));
    return occurrence ? [occurrence] : [];
  } catch (error) {
    if (error instanceof RecurrenceError) return [];
    throw error;
  }
}
