import { expand, RecurrenceError, type Window } from '@firmdesk/recurrence';
import type { Log } from '../kernel/log.ts';
import { type EventTimes, isRecurring, type OverrideColumns, seriesOf } from './series.ts';

/** One appearance of an event; instants in epoch ms. */
export interface EventAppearance<E> {
  event: E;
  /** The slot that the rule gave it; null for an event that does not repeat. */
  slot: number | null;
  start: number;
  end: number;
  override: OverrideColumns | null;
}

interface Expandable extends EventTimes {
  id: number;
  overrides: readonly OverrideColumns[] | null;
}

/**
 * The first `limit` appearances of many events in a window, by start, end, id of the event and slot. As soon as there are
 * enough, the window is narrowed to what can still come before the last of them: so work and memory are bounded.
 */
export function appearancesIn<E extends Expandable>(
  events: readonly E[],
  { from, until }: Window,
  limit: number,
  log: Log,
): { appearances: EventAppearance<E>[]; truncated: boolean } {
  let found: EventAppearance<E>[] = [];
  let end = until;
  for (const event of events) {
    const repeats = isRecurring(event);
    for (const appearance of expandSafely(event, { from, until: end }, limit + 1, log)) {
      found.push({
        event,
        slot: repeats ? appearance.occurrenceStart : null,
        start: appearance.start,
        end: appearance.end,
        override: appearance.override?.row ?? null,
      });
    }
    if (found.length > 4 * limit) {
      found = found.sort(inOrder).slice(0, limit + 1);
      end = Math.min(end, found[limit]!.start + 1);
    }
  }
  found.sort(inOrder);
  return { appearances: found.slice(0, limit), truncated: found.length > limit };
}

/** One event that cannot be expanded must not take the others with it. */
function expandSafely(event: Expandable, window: Window, limit: number, log: Log) {
  try {
    return expand(seriesOf(event, event.overrides), window, { limit }).appearances;
  } catch (error) {
    if (!(error instanceof RecurrenceError)) throw error;
    log.error({ event_id: event.id, err: error }, 'event cannot be expanded');
    return [];
  }
}

function inOrder<E extends Expandable>(a: EventAppearance<E>, b: EventAppearance<E>): number {
  return a.start - b.start || a.end - b.end || a.event.id - b.event.id || (a.slot ?? 0) - (b.slot ?? 0);
}
