import { ApiError } from '@firmdesk/domain';

/** The maximum number of bytes of large bodies in a process. They take about three times as much memory. */
export const MAX_LARGE_BODY_BYTES = 256 * 1024 * 1024;

/** A large body that is being received or used. */
export interface LargeBody {
  /** Counts received bytes. Throws `unavailable` if the process would hold too many. */
  add(bytes: number): void;
  release(): void;
}

/**
 * Limits the memory for large bodies, per process and per account. The process limit counts received bytes, not
 * declared ones: a client that declares a large body and never sends it does not affect other clients.
 */
export class LargeBodies {
  readonly #perAccount = new Map<string, number>();
  #bytes = 0;

  /** Admits a body before it is read. Throws `rate_limited` if the account already has `maxConcurrent` large bodies. */
  admit(account: string, maxConcurrent: number): LargeBody {
    const concurrent = this.#perAccount.get(account) ?? 0;
    if (concurrent >= maxConcurrent) {
      throw new ApiError('rate_limited', {
        message: `An account can send at most ${maxConcurrent} bodies of more than 64 KiB at once; wait as long as Retry-After says.`,
        retryAfterSeconds: 1,
        limit: 'bodies_per_account',
      });
    }
    this.#ensureRoom(1);
    this.#perAccount.set(account, concurrent + 1);
    let held = 0;
    return {
      add: (bytes) => {
        this.#ensureRoom(bytes);
        this.#bytes += bytes;
        held += bytes;
      },
      release: () => {
        this.#bytes -= held;
        const left = this.#perAccount.get(account)! - 1;
        if (left > 0) this.#perAccount.set(account, left);
        else this.#perAccount.delete(account);
      },
    };
  }

  #ensureRoom(bytes: number): void {
    if (this.#bytes + bytes > MAX_LARGE_BODY_BYTES)
      throw new ApiError('unavailable', { retryAfterSeconds: 1 });
  }
}
