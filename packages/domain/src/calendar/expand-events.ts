import { expand, limitWork, RecurrenceError, type Window, type WorkBudget } from '@firmdesk/recurrence';
import { EVENT_STEPS } from './limits.ts';
import { type Occurrence, OccurrenceList } from './occurrence-list.ts';
import { type EventTimes, isRecurring, type OverrideColumns, seriesOf } from './series.ts';

/** What of an event decides when it takes place. */
export interface Expandable extends EventTimes {
  id: number;
  overrides: readonly OverrideColumns[] | null;
  /** Some of its overrides were not read, so that it cannot be expanded. */
  is_partial: boolean;
}

export interface ExpandedEvents {
  /** In order, one more than the limit where there are more. */
  occurrences: Occurrence[];
  /** Events that take too much work, or cannot be read: of each only the first occurrence is there. */
  unexpanded: number[];
  /** How many events were dealt with before the budget was spent. */
  done: number;
}

/**
 * The first `limit` occurrences of events in a window. An event that takes more than {@link EVENT_STEPS} is there with its
 * first occurrence alone. Ends where the budget is spent.
 */
export function expandEvents(
  events: readonly Expandable[],
  window: Window,
  limit: number,
  budget: WorkBudget,
): ExpandedEvents {
  const list = new OccurrenceList(window, limit);
  const unexpanded: number[] = [];
  for (const [done, event] of events.entries()) {
    const own = { steps: Math.min(EVENT_STEPS, budget.steps) };
    try {
      if (event.is_partial) throw new RecurrenceError('too-much-work', 'Some overrides were not read');
      limitWork(budget, () => list.add(expandEvent(event, list.window, limit, own)));
    } catch (error) {
      if (!(error instanceof RecurrenceError)) throw error;
      if (budget.steps < 0) return { occurrences: list.first(), unexpanded, done };
      unexpanded.push(event.id);
      list.add(firstOccurrenceOf(event, list.window));
    }
  }
  return { occurrences: list.first(), unexpanded, done: events.length };
}

/** Throws `RecurrenceError`. */
function expandEvent(event: Expandable, window: Window, limit: number, budget: WorkBudget): Occurrence[] {
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

/** The first occurrence of an event as it is stored, if it lies in the window. */
export function firstOccurrenceOf(event: Expandable, window: Window): Occurrence[] {
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
