import { expand, limitWork, RecurrenceError, type Window, type WorkBudget } from '@firmdesk/recurrence';
import { EVENT_STEPS } from './limits.ts';
import { type ExpandedOccurrence, OccurrenceList } from './occurrence-list.ts';
import { type EventTimes, isRecurring, type OverrideColumns, seriesOf } from './series.ts';

/** The fields of an event that determine when it takes place. */
export interface Expandable extends EventTimes {
  id: number;
  overrides: readonly OverrideColumns[] | null;
  /** Whether some overrides were not read, so that the event cannot be expanded. */
  is_partial: boolean;
}

export interface ExpandedEvents {
  /** Sorted. One more than the limit if there are more. */
  occurrences: ExpandedOccurrence[];
  /** The ids of events that take too much work or are invalid. Only their first occurrence is included. */
  unexpanded: number[];
  /** The number of events that were processed before the budget was used. */
  processed: number;
}

/**
 * Returns the first `limit` occurrences of events in a window. Of an event that takes more than {@link EVENT_STEPS}, only the
 * first occurrence is included. Stops when the budget is used.
 */
export function expandEvents(
  events: readonly Expandable[],
  window: Window,
  limit: number,
  budget: WorkBudget,
): ExpandedEvents {
  const list = new OccurrenceList(window, limit);
  const { unexpanded, processed } = expandInto(list, events, limit, budget);
  return { occurrences: list.first(), unexpanded, processed };
}

/** {@link expandEvents}, adding to a list that may have occurrences of other events. */
export function expandInto(
  list: OccurrenceList,
  events: readonly Expandable[],
  limit: number,
  budget: WorkBudget,
): Omit<ExpandedEvents, 'occurrences'> {
  const unexpanded: number[] = [];
  for (let processed = 0; processed < events.length; processed++) {
    const event = events[processed]!;
    const own = { steps: Math.min(EVENT_STEPS, budget.steps) };
    try {
      if (event.is_partial) throw new RecurrenceError('too-much-work', 'Some overrides were not read');
      limitWork(budget, () => list.add(expandEvent(event, list.window, limit, own)));
    } catch (error) {
      if (!(error instanceof RecurrenceError)) throw error;
      if (budget.steps < 0) return { unexpanded, processed };
      unexpanded.push(event.id);
      list.add(firstOccurrenceOf(event, list.window));
    }
  }
  return { unexpanded, processed: events.length };
}

/** Returns the occurrences of an event in a window. Throws `RecurrenceError`. */
function expandEvent(
  event: Expandable,
  window: Window,
  limit: number,
  budget: WorkBudget,
): ExpandedOccurrence[] {
  const repeats = isRecurring(event);
  const { occurrences } = limitWork(budget, () =>
    expand(seriesOf(event, event.overrides), window, { limit: limit + 1 }),
  );
  return occurrences.map(({ recurrenceId, start, end, override }) => ({
    eventId: event.id,
    recurrenceId: repeats ? recurrenceId : null,
    start,
    end,
    override: override?.index ?? null,
  }));
}

/** Returns the first occurrence of an event, without its rule and overrides, if it overlaps the window. */
export function firstOccurrenceOf(event: Expandable, window: Window): ExpandedOccurrence[] {
  const single = { ...event, recurrence_rule: null, added_dates: null, removed_dates: null, overrides: null };
  try {
    const [first] = expandEvent(single, window, 1, { steps: EVENT_STEPS });
    return first
      ? [{ ...first, recurrenceId: isRecurring(event) ? (first.recurrenceId ?? first.start) : null }]
      : [];
  } catch (error) {
    if (error instanceof RecurrenceError) return [];
    throw error;
  }
}
