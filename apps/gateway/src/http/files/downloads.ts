import { FairSemaphore } from '@firmdesk/domain';

/** An account can read this many contents from a process at once. */
export const MAX_DOWNLOADS = 10;

/**
 * Limits how many contents an account reads at once: each takes a connection to the object store as long as its client reads. Others wait, since
 * browsers do not repeat the request of an image.
 */
export class Downloads {
  readonly #accounts = new Map<string, { semaphore: FairSemaphore; calls: number }>();

  /** Runs a download when the account may begin one. Throws `rate_limited` if too many wait. */
  async run(account: string, download: () => Promise<void>): Promise<void> {
    const entry = this.#accounts.get(account) ?? { semaphore: new FairSemaphore(MAX_DOWNLOADS), calls: 0 };
    this.#accounts.set(account, entry);
    entry.calls++;
    try {
      await entry.semaphore.run(account, download);
    } finally {
      entry.calls--;
      if (entry.calls === 0) this.#accounts.delete(account);
    }
  }
}
