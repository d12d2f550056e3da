import type { Live } from '../platform/events/live.ts';
import type { Unread } from './count-unread-notifications.ts';

/** An account in one workspace. */
export interface WorkspaceAccount {
  workspaceId: number;
  userId: string;
}

const keyOf = ({ workspaceId, userId }: WorkspaceAccount) => `${workspaceId} ${userId}`;

declare module '../platform/services.ts' {
  interface Services {
    unreadCounts: UnreadCounts;
  }
}

interface Count {
  /** The position in the event log up to which the count includes all events. */
  asOf: number;
  unread: Promise<Unread>;
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
  retain(account: WorkspaceAccount): () => void {
    const key = keyOf(account);
    this.#streams.set(key, (this.#streams.get(key) ?? 0) + 1);
    return () => {
      const left = (this.#streams.get(key) ?? 1) - 1;
      if (left > 0) return void this.#streams.set(key, left);
      this.#streams.delete(key);
      this.#latest.delete(key);
    };
  }

  /**
   * Discards the account's count: the log was replaced, and its positions no longer compare with those of before; or a stream begins, perhaps
   * after a change of rights, which is no event of the log.
   */
  discard(account: WorkspaceAccount): void {
    this.#latest.delete(keyOf(account));
  }

  /** Returns a count that includes the event at this position. Reuses the latest count if it does. */
  count(account: WorkspaceAccount, position: number, run: () => Promise<Unread>): Promise<Unread> {
    const key = keyOf(account);
    const known = this.#latest.get(key);
    if (known && known.asOf >= position) return known.unread;
    // Events that this process has read are committed, so a statement that starts now sees them.
    const counted = { asOf: Math.max(position, this.#live.readThrough(account.workspaceId)), unread: run() };
    this.#latest.set(key, counted);
    counted.unread.catch(() => {
      if (this.#latest.get(key) === counted) this.#latest.delete(key);
    });
    return counted.unread;
  }
}
