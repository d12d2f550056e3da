import { asFirmdeskError, FirmdeskError, isTransient } from './errors.ts';

/**
 * A token, or a function that returns one. It is called for the `first` token, and again when the service has `refused` the
 * last one. If it rejects, the session ends, except with a transient error (`network`).
 */
export type TokenSource = string | ((reason: 'first' | 'refused') => string | Promise<string>);

/** The token of one session, which all its calls and its socket share. */
export class Credentials {
  readonly #source: TokenSource | undefined;
  #held: string | null = null;
  #reason: 'first' | 'refused' = 'first';
  #asking: Promise<string> | null = null;

  constructor(source: TokenSource | undefined) {
    this.#source = source;
  }

  /** Returns the token to send; null if the browser sends its cookie. */
  async token(): Promise<string | null> {
    if (typeof this.#source !== 'function') return this.#source ?? null;
    return this.#held ?? this.#ask(this.#source);
  }

  /** Returns another token than the refused one. Throws `signed_out` if there is none. */
  async renew(refused: string | null): Promise<string> {
    if (typeof this.#source !== 'function') throw signedOut();
    if (this.#held === refused) this.#held = null;
    const token = this.#held ?? (await this.#ask(this.#source));
    if (token === refused) throw signedOut();
    return token;
  }

  /** Calls the source once for all concurrent callers. */
  #ask(source: Exclude<TokenSource, string>): Promise<string> {
    this.#asking ??= this.#askOnce(source).finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #askOnce(source: Exclude<TokenSource, string>): Promise<string> {
    try {
      this.#held = await source(this.#reason);
      this.#reason = 'refused';
      return this.#held;
    } catch (cause) {
      // A `fetch` of the caller's source throws a TypeError when the network is unavailable.
      const error = cause instanceof TypeError ? networkError(cause) : asFirmdeskError(cause);
      throw isTransient(error) ? error : signedOut(cause);
    }
  }
}

export function networkError(cause: unknown): FirmdeskError<'network'> {
  return new FirmdeskError('network', { message: 'The service could not be reached.', cause });
}

export function signedOut(cause?: unknown): FirmdeskError<'signed_out'> {
  return new FirmdeskError('signed_out', { message: 'The session has ended. Sign in again.', cause });
}
