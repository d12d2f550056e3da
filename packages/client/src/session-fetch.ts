import { jittered, pause } from './backoff.ts';
import { type Credentials, networkError, type TokenSource } from './credentials.ts';
import { FirmdeskError, isDeadToken, isFirmdeskError, refusalsIn, retryAfterOf } from './errors.ts';

/** The options of both clients. */
export interface SessionOptions {
  /** The base URL of the gateway: `https://desk.example`. */
  url: string;
  /** Without it, the browser's cookie of the same origin is used: that of `workspace`. */
  token?: TokenSource;
  /**
   * The slug of the firm that every call, retry and stream of the client acts in (`Service-Workspace`): needed by the service's
   * own staff, and with a cookie. For another firm, make another client.
   */
  workspace?: string | null;
  fetch?: typeof globalThis.fetch;
  /** Timeout of one attempt, including the body of the response. Default: 30 s. */
  timeoutMs?: number;
  /** Called when the service refuses a call or the socket because the token has ended and there is no other. */
  onSignedOut?: (error: FirmdeskError) => void;
}

export const IDEMPOTENCY_KEY = 'idempotency-key';

const TRIES = 5;
/** Maximum duration of a call with all its attempts. */
const PATIENCE_MS = 60_000;
const TIMEOUT_MS = 30_000;
const BACKOFF_MS = { base: 300, cap: 10_000 };
/** Statuses with which a `Response` cannot have a body. */
const BODILESS = [204, 205, 304];

/**
 * Returns a `fetch` with the session's token and workspace, and a timeout for each attempt. It makes at most {@link TRIES}
 * attempts within a minute, and honours `Retry-After`. It retries calls that were refused before they ran, and, after a lost
 * response, a GET or a call with an `Idempotency-Key`, which all attempts share. It renews a token that has ended once.
 * Resolves with the last response, read completely; throws a {@link FirmdeskError} if there was none.
 */
export function sessionFetch(options: SessionOptions, credentials: Credentials): typeof globalThis.fetch {
  const tokenBy = async (get: () => Promise<string | null>) => {
    try {
      return await get();
    } catch (error) {
      if (isFirmdeskError(error, 'signed_out')) options.onSignedOut?.(error);
      throw error;
    }
  };
  return async function fetchInSession(input, init) {
    const request = await take(new Request(input, init));
    const giveUpAt = performance.now() + PATIENCE_MS;
    let token = await tokenBy(() => credentials.token());
    let isRenewed = false;
    for (let tries = 1; ; tries++) {
      const outcome = await tryOnce(request, headersOf(request, token, options.workspace), options);
      const refusals = outcome.response ? await refusalsIn(outcome.response) : [];
      const dead = refusals.find(isDeadToken);
      if (dead && !isRenewed && typeof options.token === 'function') {
        token = await tokenBy(() => credentials.renew(token));
        isRenewed = true;
        continue;
      }
      if (dead) options.onSignedOut?.(dead);
      const waitMs = waitOf(outcome, tries);
      const isLast = tries >= TRIES || performance.now() + waitMs > giveUpAt;
      if (isLast || !mayTryAgain(request, outcome, refusals)) {
        if (outcome.response) return ours(outcome.response);
        throw outcome.error;
      }
      await pause(waitMs, request.signal).catch((reason: unknown) => {
        throw aborted(reason);
      });
    }
  };
}

/** A request that can be sent repeatedly. */
interface Repeatable {
  url: string;
  method: string;
  headers: Headers;
  body: ArrayBuffer | null;
  credentials: Request['credentials'];
  signal: AbortSignal;
}

async function take(request: Request): Promise<Repeatable> {
  const { url, method, headers, credentials, signal } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return { url, method, headers, credentials, signal, body: hasBody ? await request.arrayBuffer() : null };
}

type Outcome =
  | { response: Response; error?: never }
  | { response?: never; error: FirmdeskError<'network' | 'timeout'> };

async function tryOnce(request: Repeatable, headers: Headers, options: SessionOptions): Promise<Outcome> {
  const { url, method, body, credentials } = request;
  const late = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const signal = AbortSignal.any([request.signal, late]);
  try {
    const response = await (options.fetch ?? globalThis.fetch)(url, {
      method,
      headers,
      credentials,
      signal,
      ...(body && body.byteLength > 0 && { body }),
    });
    const { status, statusText } = response;
    const bytes = await response.arrayBuffer();
    const whole = BODILESS.includes(status) ? null : bytes;
    return { response: new Response(whole, { status, statusText, headers: response.headers }) };
  } catch (cause) {
    if (request.signal.aborted) throw aborted(request.signal.reason);
    const message = 'No answer came in time.';
    return { error: late.aborted ? new FirmdeskError('timeout', { message, cause }) : networkError(cause) };
  }
}

function headersOf(request: Repeatable, token: string | null, workspace: string | null | undefined): Headers {
  const headers = new Headers(request.headers);
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  if (workspace != null) headers.set('service-workspace', workspace);
  return headers;
}

/** Returns whether to retry: always if the call was refused before it ran (429, a key in use); if the response was lost, only where that is safe. */
function mayTryAgain(request: Repeatable, { response }: Outcome, refusals: FirmdeskError[]): boolean {
  if (refusals.some((error) => isFirmdeskError(error, 'rate_limited', 'idempotency_key_in_use'))) return true;
  const isSafe = ['GET', 'HEAD'].includes(request.method) || request.headers.has(IDEMPOTENCY_KEY);
  const isAway = refusals.some((error) => isFirmdeskError(error, 'unavailable'));
  return isSafe && (!response || isAway || [502, 503, 504].includes(response.status));
}

function waitOf({ response }: Outcome, tries: number): number {
  const seconds = retryAfterOf(response?.headers);
  const jitter = jittered(tries - 1, BACKOFF_MS.base, BACKOFF_MS.cap);
  // Not before the time that the service gave, and with jitter after it.
  return seconds === null ? jitter : seconds * 1000 + Math.min(jitter, 1000);
}

/** Returns the error for a response that is not JSON, and so not the service's but a proxy's. */
function ours(response: Response): Response {
  if (BODILESS.includes(response.status) || /\bjson\b/.test(response.headers.get('content-type') ?? ''))
    return response;
  const message = `The answer (${response.status}) is not this service's.`;
  throw new FirmdeskError('unexpected', {
    message,
    status: response.status,
    retryAfterSeconds: retryAfterOf(response.headers),
  });
}

function aborted(cause: unknown): FirmdeskError<'aborted'> {
  return new FirmdeskError('aborted', { message: 'The call was aborted.', cause });
}
