import { asFirmdeskError, FirmdeskError, isTransient } from './errors.ts';

/**
 * A token, or what gets one: asked for the first when that is needed, and for another (`refused`) when the service says
 * that the one it gave is dead. A function that rejects ends the session, unless with an error that may pass (`network`).
 */
export type TokenSource = string | ((reason: 'first' | 'refused') => string | Promise<string>);

/** The token of one session, shared by all its calls and its socket. */
export class Credentials {
  readonly #source: TokenSource | undefined;
  #held: string | null = null;
  #reason: 'first' | 'refused' = 'first';
  #asking: Promise<string> | null = null;

  constructor(source: TokenSource | undefined) {
    this.#source = source;
  }

  /** The token to send; null where the browser sends its cookie. */
  async token(): Promise<string | null> {
    if (typeof this.#source !== 'function') return this.#source ?? null;
    return this.#held ?? this.#ask(this.#source);
  }

  /** Another token than the one that was refused; raises `signed_out` when there is none to be had. */
  async renew(refused: string | null): Promise<string> {
    if (typeof this.#source !== 'function') throw signedOut();
    if (this.#held === refused) this.#held = null;
    const token = this.#held ?? (await this.#ask(this.#source));
    if (token === refused) throw signedOut();
    return token;
  }

  /** Calls that need a token at the same time ask once. */
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
      // What a `fetch` of the caller's own throws when the network is away.
      const error = cause instanceof TypeError ? networkError(cause) : asFirmdeskError(cause);
      throw isTransient(error) ? error : signedOut(cause);
    }
  }
}

export function networkError(cause: unknown): FirmdeskError<'network'> {
  return new FirmdeskError('network', { message: 'The service could not be reached.', cause });
}

export function signedOut(cause?: unknown): FirmdeskError<'signed_out'> {
  return new FirmdeskError('signed_out', { message: 'The session has ended: sign in again.', cause });
}
