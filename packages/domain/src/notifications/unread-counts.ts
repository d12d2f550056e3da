import type { Live } from '../platform/events/live.ts';

interface Counted {
  /** Every event up to this position is counted. */
  asOf: number;
  unread: Promise<number>;
}

/**
 * Counts a person's unread notifications once per change, for all streams of that person in this process: whatever number
 * of windows is open, and of events that arrive together, one statement tells all of them.
 */
export class UnreadCounts {
  readonly #live: Live;
  readonly #counted = new Map<string, Counted>();
  readonly #streams = new Map<string, number>();

  constructor(live: Live) {
    this.#live = live;
  }

  /** Keeps the person's count for a stream, until the returned function is called. */
  hold(person: string): () => void {
    this.#streams.set(person, (this.#streams.get(person) ?? 0) + 1);
    return () => {
      const left = (this.#streams.get(person) ?? 1) - 1;
      if (left > 0) return void this.#streams.set(person, left);
      this.#streams.delete(person);
      this.#counted.delete(person);
    };
  }

  /** Returns the count after the event at this position: one that was begun since, or a new one. */
  count(person: string, position: number, run: () => Promise<number>): Promise<number> {
    const known = this.#counted.get(person);
    if (known && known.asOf >= position) return known.unread;
    // What this process has read of the log was committed, so a statement that begins now sees it.
    const counted = { asOf: Math.max(position, this.#live.readThrough), unread: run() };
    this.#counted.set(person, counted);
    counted.unread.catch(() => {
      if (this.#counted.get(person) === counted) this.#counted.delete(person);
    });
    return counted.unread;
  }
}

const countsOf = new WeakMap<Live, UnreadCounts>();

/** The counts of this process. */
export function unreadCounts(live: Live): UnreadCounts {
  const counts = countsOf.get(live) ?? new UnreadCounts(live);
  countsOf.set(live, counts);
  return counts;
}
