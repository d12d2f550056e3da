import { ApiError } from '@firmdesk/domain';

/** Bytes of large bodies that a process holds at once. They take about three times as much memory. */
export const MAX_LARGE_BODY_BYTES = 256 * 1024 * 1024;

interface Claim {
  /** The account that sends. */
  account: string;
  bytes: number;
  /** How many large bodies one account may send at once. */
  atOnce: number;
}

/** Counts the large bodies under way, of a process and of each account, so that neither memory nor other accounts suffer. */
export class LargeBodies {
  readonly #perAccount = new Map<string, number>();
  #bytes = 0;

  /**
   * Admits a body before it is read; the function that is returned ends its place. Raises `rate_limited` where the account
   * sends too many at once, and `unavailable` where the process holds too many bytes.
   */
  admit({ account, bytes, atOnce }: Claim): () => void {
    const sending = this.#perAccount.get(account) ?? 0;
    if (sending >= atOnce) {
      throw new ApiError('rate_limited', {
        message: `An account can send at most ${atOnce} bodies of more than 64 KiB at once; wait as long as Retry-After says.`,
        retryAfterSeconds: 1,
      });
    }
    if (this.#bytes + bytes > MAX_LARGE_BODY_BYTES)
      throw new ApiError('unavailable', { retryAfterSeconds: 1 });
    this.#perAccount.set(account, sending + 1);
    this.#bytes += bytes;
    return () => {
      this.#bytes -= bytes;
      const left = this.#perAccount.get(account)! - 1;
      if (left > 0) this.#perAccount.set(account, left);
      else this.#perAccount.delete(account);
    };
  }
}
