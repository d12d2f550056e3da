import type { Window } from '@firmdesk/recurrence';
import type { OverrideColumns } from '../events/series.ts';

/** An occurrence of an event; instants in epoch ms. */
export interface EventOccurrence<E> {
  event: E;
  /** Null for an event that does not recur. */
  recurrenceId: number | null;
  start: number;
  end: number;
  override: OverrideColumns | null;
}

/**
 * Collects the first `limit` occurrences by start, end, id of the event and recurrence id. Once it has enough, it narrows its
 * window to the occurrences that can still precede the last of them, which limits work and memory.
 */
export class OccurrenceList<E extends { id: number }> {
  readonly window: Window;
  readonly #limit: number;
  #found: EventOccurrence<E>[] = [];

  constructor(window: Window, limit: number) {
    this.window = { ...window };
    this.#limit = limit;
  }

  addAll(occurrences: readonly EventOccurrence<E>[]): void {
    for (const occurrence of occurrences) this.add(occurrence);
  }

  add(occurrence: EventOccurrence<E>): void {
    this.#found.push(occurrence);
    if (this.#found.length <= 2 * this.#limit) return;
    this.#found = this.first();
    const last = this.#found[this.#limit];
    // At least one instant of the window stays, so that occurrences that began before it are still found.
    if (last) this.window.until = Math.min(this.window.until, Math.max(this.window.from, last.start) + 1);
  }

  /** Returns the first occurrences, sorted; one more than the limit if there are more. */
  first(): EventOccurrence<E>[] {
    return this.#found.sort(inOrder).slice(0, this.#limit + 1);
  }
}

function inOrder<E extends { id: number }>(a: EventOccurrence<E>, b: EventOccurrence<E>): number {
  return (
    a.start - b.start ||
    a.end - b.end ||
    a.event.id - b.event.id ||
    (a.recurrenceId ?? 0) - (b.recurrenceId ?? 0)
  );
}
