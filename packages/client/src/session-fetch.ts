import { jitteredDelay, sleep } from './backoff.ts';
import { type Credentials, networkError, type TokenSource } from './credentials.ts';
import {
  errorsIn,
  FirmdeskError,
  isFirmdeskError,
  isTokenError,
  retryAfterOf,
  unexpectedResponse,
} from './errors.ts';

/** The options of both clients. */
export interface SessionOptions {
  /** The base URL of the gateway: `https://desk.example`. */
  url: string;
  /** Without it, a page of the same origin authenticates with the browser's session cookie for `workspace`. */
  token?: TokenSource;
  /**
   * The slug of the firm that every call, retry and stream of the client acts in (`Service-Workspace`). Required for the service's own
   * staff, and with a cookie. Create another client for another firm.
   */
  workspace?: string | null;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** Timeout of one attempt, including the body of the response. Default: 30 s. */
  timeoutMs?: number;
  /** Called when the service rejects a call or the socket because the token is not live, and there is no other token. */
  onSignedOut?: (error: FirmdeskError) => void;
}

export const IDEMPOTENCY_KEY = 'idempotency-key';

const MAX_ATTEMPTS = 5;
/** A call is not retried later than this. */
const MAX_RETRY_MS = 60_000;
const TIMEOUT_MS = 30_000;
const BACKOFF_MS = { base: 300, cap: 10_000 };
/** Statuses with which a `Response` cannot have a body. */
const NULL_BODY_STATUSES = [204, 205, 304];

/**
 * Returns a `fetch` with the session's token and workspace, and a timeout for each attempt. It makes at most {@link MAX_ATTEMPTS}
 * attempts within a minute, and honours `Retry-After`. It retries calls that were rejected before they ran. After a lost response it
 * retries a GET, and a call with an `Idempotency-Key`, which all attempts share. It replaces a token that is not live once. Resolves
 * with the last response, read completely; throws a {@link FirmdeskError} if there was none.
 */
export function sessionFetch(options: SessionOptions, credentials: Credentials): typeof globalThis.fetch {
  /** Passes on a token, and calls `onSignedOut` if there is none. */
  const reportingSignOut = async (get: () => Promise<string | null>) => {
    try {
      return await get();
    } catch (error) {
      if (isFirmdeskError(error, 'signed_out')) options.onSignedOut?.(error);
      throw error;
    }
  };
  return async function fetchInSession(input, init) {
    const request = await readRequest(new Request(input, init));
    const giveUpAt = performance.now() + MAX_RETRY_MS;
    let token = await reportingSignOut(() => credentials.token());
    let isRenewed = false;
    for (let attempts = 1; ; attempts++) {
      const outcome = await attempt(request, headersOf(request, token, options.workspace), options);
      const errors = outcome.response ? await errorsIn(outcome.response) : [];
      const tokenError = errors.find(isTokenError);
      if (tokenError && !isRenewed && typeof options.token === 'function') {
        token = await reportingSignOut(() => credentials.renew(token));
        isRenewed = true;
        continue;
      }
      if (tokenError) options.onSignedOut?.(tokenError);
      const waitMs = retryDelayMs(outcome, attempts);
      const isLast = attempts >= MAX_ATTEMPTS || performance.now() + waitMs > giveUpAt;
      if (isLast || !mayRetry(request, outcome, errors)) {
        if (outcome.response) return ensureJson(outcome.response);
        throw outcome.error;
      }
      await sleep(waitMs, request.signal).catch((reason: unknown) => {
        throw aborted(reason);
      });
    }
  };
}

/** A request that can be sent repeatedly. */
interface BufferedRequest {
  url: string;
  method: string;
  headers: Headers;
  body: ArrayBuffer | null;
  credentials: Request['credentials'];
  signal: AbortSignal;
}

/** Reads the body of a request, so that each attempt can send it. */
async function readRequest(request: Request): Promise<BufferedRequest> {
  const { url, method, headers, credentials, signal } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return { url, method, headers, credentials, signal, body: hasBody ? await request.arrayBuffer() : null };
}

/** The result of an attempt. */
type Outcome =
  | { response: Response; error?: never }
  | { response?: never; error: FirmdeskError<'network' | 'timeout'> };

async function attempt(
  request: BufferedRequest,
  headers: Headers,
  options: SessionOptions,
): Promise<Outcome> {
  const { url, method, body, credentials } = request;
  const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const signal = AbortSignal.any([request.signal, timeout]);
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
    const responseBody = NULL_BODY_STATUSES.includes(status) ? null : bytes;
    return { response: new Response(responseBody, { status, statusText, headers: response.headers }) };
  } catch (cause) {
    if (request.signal.aborted) throw aborted(request.signal.reason);
    const message = 'The service did not respond in time.';
    return {
      error: timeout.aborted ? new FirmdeskError('timeout', { message, cause }) : networkError(cause),
    };
  }
}

function headersOf(
  request: BufferedRequest,
  token: string | null,
  workspace: string | null | undefined,
): Headers {
  const headers = new Headers(request.headers);
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  if (workspace != null) headers.set('service-workspace', workspace);
  return headers;
}

/** Returns whether to retry: always if the call was rejected before it ran (429, a key in use); otherwise only if repeating it is safe. */
function mayRetry(request: BufferedRequest, { response }: Outcome, errors: FirmdeskError[]): boolean {
  if (errors.some((error) => isFirmdeskError(error, 'rate_limited', 'idempotency_key_in_use'))) return true;
  const isSafe = ['GET', 'HEAD'].includes(request.method) || request.headers.has(IDEMPOTENCY_KEY);
  const isUnavailable = errors.some((error) => isFirmdeskError(error, 'unavailable'));
  return isSafe && (!response || isUnavailable || [502, 503, 504].includes(response.status));
}

/** Returns the delay before the next attempt. `attempts` counts those made. */
function retryDelayMs({ response }: Outcome, attempts: number): number {
  const seconds = retryAfterOf(response?.headers);
  const jitter = jitteredDelay(attempts - 1, BACKOFF_MS.base, BACKOFF_MS.cap);
  // With `Retry-After`: not earlier, and with jitter after it.
  return seconds === null ? jitter : seconds * 1000 + Math.min(jitter, 1000);
}

/** Returns the response if it is JSON or has no body. Throws `unexpected` otherwise, because it came from a proxy. */
function ensureJson(response: Response): Response {
  if (
    NULL_BODY_STATUSES.includes(response.status) ||
    /\bjson\b/.test(response.headers.get('content-type') ?? '')
  )
    return response;
  throw unexpectedResponse(response);
}

function aborted(cause: unknown): FirmdeskError<'aborted'> {
  return new FirmdeskError('aborted', { message: 'The call was aborted.', cause });
}
