import type { Window } from '@firmdesk/recurrence';

/** One occurrence of an event; instants in epoch ms. */
export interface Occurrence {
  eventId: number;
  /** The recurrence id; null for an event that does not repeat. */
  recurrenceId: number | null;
  start: number;
  end: number;
  /** Index of the override that it comes from. */
  override: number | null;
}

/**
 * Keeps the first of many occurrences, by start, end, id of the event and recurrence id. As soon as there are enough, its
 * window is narrowed to what can still come before the last of them: so work and memory are bounded.
 */
export class OccurrenceList {
  readonly window: Window;
  readonly #limit: number;
  #found: Occurrence[] = [];

  constructor(window: Window, limit: number) {
    this.window = { ...window };
    this.#limit = limit;
  }

  add(occurrences: readonly Occurrence[]): void {
    for (const occurrence of occurrences) this.#found.push(occurrence);
    if (this.#found.length <= 2 * this.#limit) return;
    this.#found = this.first();
    const last = this.#found[this.#limit];
    // What began before the window needs an instant of it to be found by.
    if (last) this.window.until = Math.min(this.window.until, Math.max(this.window.from, last.start) + 1);
  }

  /** The first ones in order, one more than the limit where there are more. */
  first(): Occurrence[] {
    return this.#found.sort(inOrder).slice(0, this.#limit + 1);
  }
}

function inOrder(a: Occurrence, b: Occurrence): number {
  return (
    a.start - b.start ||
    a.end - b.end ||
    a.eventId - b.eventId ||
    (a.recurrenceId ?? 0) - (b.recurrenceId ?? 0)
  );
}
