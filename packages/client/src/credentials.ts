import { asFirmdeskError, FirmdeskError, isTransient } from './errors.ts';

/**
 * A token, or a function that returns one. The function is called for the `first` token, and again when the service has `refused` the
 * last one. If it rejects, the session ends, unless the error is transient (`network`).
 */
export type TokenSource = string | ((reason: 'first' | 'refused') => string | Promise<string>);

/** The token of one session, which all its calls and its socket share. */
export class Credentials {
  readonly #source: TokenSource | undefined;
  #token: string | null = null;
  #reason: 'first' | 'refused' = 'first';
  #pendingToken: Promise<string> | null = null;

  constructor(source: TokenSource | undefined) {
    this.#source = source;
  }

  /** Returns the token to send; null if the browser sends its cookie. */
  async token(): Promise<string | null> {
    if (typeof this.#source !== 'function') return this.#source ?? null;
    return this.#token ?? this.#requestToken(this.#source);
  }

  /** Returns a token other than the refused one. Throws `signed_out` if there is none. */
  async renew(refused: string | null): Promise<string> {
    if (typeof this.#source !== 'function') throw signedOut();
    if (this.#token === refused) this.#token = null;
    const token = this.#token ?? (await this.#requestToken(this.#source));
    if (token === refused) throw signedOut();
    return token;
  }

  /** Calls the source once for all concurrent callers. */
  #requestToken(source: Exclude<TokenSource, string>): Promise<string> {
    this.#pendingToken ??= this.#callSource(source).finally(() => {
      this.#pendingToken = null;
    });
    return this.#pendingToken;
  }

  async #callSource(source: Exclude<TokenSource, string>): Promise<string> {
    try {
      this.#token = await source(this.#reason);
      this.#reason = 'refused';
      return this.#token;
    } catch (cause) {
      // If the source calls `fetch`, it rejects with a TypeError when the network is unavailable.
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
