import type { Window } from '@firmdesk/recurrence';

/** One occurrence of an event; instants in epoch ms. */
export interface ExpandedOccurrence {
  eventId: number;
  /** Null for an event that does not recur. */
  recurrenceId: number | null;
  start: number;
  end: number;
  /** The index of its override. */
  override: number | null;
}

/**
 * Collects the first `limit` occurrences by start, end, id of the event and recurrence id. Once it has enough, it narrows its
 * window to the occurrences that can still precede the last of them, which limits work and memory.
 */
export class OccurrenceList {
  readonly window: Window;
  readonly #limit: number;
  #found: ExpandedOccurrence[] = [];

  constructor(window: Window, limit: number) {
    this.window = { ...window };
    this.#limit = limit;
  }

  add(occurrences: readonly ExpandedOccurrence[]): void {
    for (const occurrence of occurrences) this.#found.push(occurrence);
    if (this.#found.length <= 2 * this.#limit) return;
    this.#found = this.first();
    const last = this.#found[this.#limit];
    // At least one instant of the window stays, so that occurrences that began before it are still found.
    if (last) this.window.until = Math.min(this.window.until, Math.max(this.window.from, last.start) + 1);
  }

  /** Returns the first occurrences, sorted; one more than the limit if there are more. */
  first(): ExpandedOccurrence[] {
    return this.#found.sort(inOrder).slice(0, this.#limit + 1);
  }
}

function inOrder(a: ExpandedOccurrence, b: ExpandedOccurrence): number {
  return (
    a.start - b.start ||
    a.end - b.end ||
    a.eventId - b.eventId ||
    (a.recurrenceId ?? 0) - (b.recurrenceId ?? 0)
  );
}
