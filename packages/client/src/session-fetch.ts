import { sleep } from './backoff.ts';
import { type Credentials, networkError, type TokenSource } from './credentials.ts';
import {
  errorsIn,
  FirmdeskError,
  isFirmdeskError,
  isTokenError,
  retryAfterOf,
  unexpectedResponse,
} from './errors.ts';
import { callHook, type Hooks } from './hooks.ts';
import { type RetryOptions, RetryPolicy } from './retries.ts';

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
  /** How often a call is retried, and the budget of retries that all calls share. */
  retries?: RetryOptions;
  /** Functions that observe each attempt, for logs and metrics. */
  hooks?: Hooks;
  /** Called when the service rejects a call or the socket because the token is not live, and there is no other token. */
  onSignedOut?: (error: FirmdeskError) => void;
}

export const IDEMPOTENCY_KEY = 'idempotency-key';

const TIMEOUT_MS = 30_000;
/** Statuses with which a `Response` cannot have a body. */
const NULL_BODY_STATUSES = [204, 205, 304];

/**
 * Returns a `fetch` with the session's token and workspace, a timeout for each attempt, retries and hooks. It retries calls that were
 * rejected before they ran. After a lost response it retries a GET, and a call with an `Idempotency-Key`, which all attempts share. It
 * replaces a token that is not live once. Resolves with the last response, read completely; throws a {@link FirmdeskError} if there was
 * none.
 */
export function sessionFetch(options: SessionOptions, credentials: Credentials): typeof globalThis.fetch {
  const retries = new RetryPolicy(options.retries);
  const { hooks = {} } = options;
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
    const { method, url } = request;
    const startedAt = performance.now();
    let token = await reportingSignOut(() => credentials.token());
    let isRenewed = false;
    for (let attempts = 1; ; attempts++) {
      const event = { method, url, attempt: attempts };
      callHook(hooks.onRequest, event);
      const attemptedAt = performance.now();
      const outcome = await attempt(request, headersOf(request, token, options.workspace), options);
      const errors = outcome.response ? await errorsIn(outcome.response) : [];
      if (outcome.response) {
        const milliseconds = performance.now() - attemptedAt;
        callHook(hooks.onResponse, { ...event, ...describeResponse(outcome.response), milliseconds });
      }
      const tokenError = errors.find(isTokenError);
      if (tokenError && !isRenewed && typeof options.token === 'function') {
        token = await reportingSignOut(() => credentials.renew(token));
        isRenewed = true;
        continue;
      }
      if (tokenError) options.onSignedOut?.(tokenError);
      const error = outcome.error ?? errors[0] ?? unexpectedResponse(outcome.response);
      const elapsedMs = performance.now() - startedAt;
      const delayMs = mayRetry(request, outcome, errors)
        ? retries.nextDelayMs(attempts, elapsedMs, retryAfterOf(outcome.response?.headers))
        : null;
      if (delayMs === null) {
        if (!outcome.response) throw outcome.error;
        if (outcome.response.ok) retries.succeeded();
        return ensureJson(outcome.response);
      }
      callHook(hooks.onRetry, { ...event, error, delayMs });
      await sleep(delayMs, request.signal).catch((reason: unknown) => {
        throw aborted(reason);
      });
    }
  };
}

function describeResponse({ status, headers }: Response) {
  const ignored = headers.get('ignored-parameters');
  return {
    status,
    requestId: headers.get('x-request-id'),
    ignoredParameters: ignored === null ? [] : ignored.split(/,\s*/),
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
  const timeout = startTimeout(options.timeoutMs ?? TIMEOUT_MS, request.signal);
  try {
    const response = await (options.fetch ?? globalThis.fetch)(url, {
      method,
      headers,
      credentials,
      signal: timeout.signal,
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
      error: timeout.isOver() ? new FirmdeskError('timeout', { message, cause }) : networkError(cause),
    };
  } finally {
    timeout.stop();
  }
}

/** Returns a signal that aborts with the caller's signal or after a timeout. React Native lacks `AbortSignal.timeout` and `AbortSignal.any`. */
function startTimeout(milliseconds: number, outer: AbortSignal) {
  const controller = new AbortController();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort();
  }, milliseconds);
  const abort = () => controller.abort(outer.reason);
  if (outer.aborted) abort();
  else outer.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    isOver: () => isOver,
    stop() {
      clearTimeout(timer);
      outer.removeEventListener('abort', abort);
    },
  };
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
