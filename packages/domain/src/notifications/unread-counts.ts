import type { Live } from '../platform/events/live.ts';

interface Count {
  /** The position in the event log up to which the count includes all events. */
  asOf: number;
  unread: Promise<number>;
}

/**
 * Shares the unread count of an account among its streams in this process: one statement counts for all open windows, and for
 * events that arrive together.
 */
export class UnreadCounts {
  readonly #live: Live;
  readonly #latest = new Map<string, Count>();
  /** The number of open streams of each account. */
  readonly #streams = new Map<string, number>();

  constructor(live: Live) {
    this.#live = live;
  }

  /** Keeps the account's count until the returned function is called. */
  retain(account: string): () => void {
    this.#streams.set(account, (this.#streams.get(account) ?? 0) + 1);
    return () => {
      const left = (this.#streams.get(account) ?? 1) - 1;
      if (left > 0) return void this.#streams.set(account, left);
      this.#streams.delete(account);
      this.#latest.delete(account);
    };
  }

  /** Returns a count that includes the event at this position. Reuses the latest count if it does. */
  count(account: string, position: number, run: () => Promise<number>): Promise<number> {
    const known = this.#latest.get(account);
    if (known && known.asOf >= position) return known.unread;
    // Events that this process has read are committed, so a statement that starts now sees them.
    const counted = { asOf: Math.max(position, this.#live.readThrough), unread: run() };
    this.#latest.set(account, counted);
    counted.unread.catch(() => {
      if (this.#latest.get(account) === counted) this.#latest.delete(account);
    });
    return counted.unread;
  }
}

const countsOf = new WeakMap<Live, UnreadCounts>();

/** Returns the shared counts for a process's event stream. */
export function unreadCounts(live: Live): UnreadCounts {
  const counts = countsOf.get(live) ?? new UnreadCounts(live);
  countsOf.set(live, counts);
  return counts;
}
