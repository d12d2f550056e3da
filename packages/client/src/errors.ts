import type { ErrorCode, FieldError } from '@firmdesk/contract';
import { TRPCClientError } from '@trpc/client';

/**
 * What goes wrong on this side of the wire.
 *
 * - `network`: no answer came; `timeout`: none came in time; `aborted`: the caller's signal ended the call.
 * - `signed_out`: the token is dead and there is no other.
 * - `unexpected`: an answer that is not this service's (a proxy's page, say), or a fault in the calling code.
 */
export type ClientErrorCode = 'network' | 'timeout' | 'aborted' | 'signed_out' | 'unexpected';

/** Every code that an error of these clients has. A newer server may know more: keep a default branch. */
export type FirmdeskErrorCode = ErrorCode | ClientErrorCode;

interface Details {
  message: string;
  status?: number | null;
  requestId?: string | null;
  fields?: readonly FieldError[];
  retryAfterSeconds?: number | null;
  cause?: unknown;
}

/** The one error of the RPC and the REST client. Branch on `code`: it is stable, `message` is prose. */
export class FirmdeskError<Code extends FirmdeskErrorCode = FirmdeskErrorCode> extends Error {
  override readonly name = 'FirmdeskError';
  readonly code: Code;
  /** The HTTP status; null where nothing answered. */
  readonly status: number | null;
  /** Names the call in the service's logs. */
  readonly requestId: string | null;
  /** The fields that were refused, for `validation_failed`; else empty. */
  readonly fields: readonly FieldError[];
  /** After how many seconds to try again, where the service says so. */
  readonly retryAfterSeconds: number | null;

  constructor(code: Code, { message, status, requestId, fields, retryAfterSeconds, cause }: Details) {
    super(message, { cause });
    this.code = code;
    this.status = status ?? null;
    this.requestId = requestId ?? null;
    this.fields = fields ?? [];
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }
}

/** {@link FirmdeskError} as a union that `code` tells apart. */
export type AnyFirmdeskError = { [Code in FirmdeskErrorCode]: FirmdeskError<Code> }[FirmdeskErrorCode];

/** Whether it is a {@link FirmdeskError}, of one of the codes if any are named. What tRPC's own clients throw: {@link asFirmdeskError} first. */
export function isFirmdeskError<Code extends FirmdeskErrorCode = FirmdeskErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is FirmdeskError<Code> {
  return error instanceof FirmdeskError && (codes.length === 0 || codes.includes(error.code as Code));
}

/** Whatever was thrown, as the one error. */
export function asFirmdeskError(thrown: unknown): AnyFirmdeskError {
  return toFirmdeskError(thrown) as AnyFirmdeskError;
}

/** Every refusal in an answer: the one of `/v1`, or one for each call of a batch of `/trpc`. */
export async function refusalsIn(response: Response): Promise<FirmdeskError[]> {
  if (response.ok && response.status !== 207) return [];
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const answers: unknown[] = Array.isArray(body) ? body : [body];
  const { headers, status } = response;
  return answers.filter(isRefusal).map(({ error, meta }) => {
    if ('json' in error) return ofRpc(error.json.data, error.json.message, headers);
    return refused({ ...error, status, request_id: meta?.request_id }, headers);
  });
}

/** Whether it is a refusal of this service, and not what somebody on the way says in JSON. */
function isRefusal(answer: unknown): answer is Answer {
  const error = (answer as Partial<Answer> | null)?.error;
  if (typeof error !== 'object' || error === null) return false;
  return 'json' in error ? isRpcData(error.json?.data) : typeof error.code === 'string';
}

type Answer = {
  error: { code: ErrorCode; message: string; fields?: FieldError[] } | { json: RpcError };
  meta?: { request_id: string };
};

/** An error of `/trpc`, once its transformer has read it. `code` is JSON-RPC's: branch on `data.code`. */
export interface RpcErrorShape extends RpcError {
  code: number;
}

interface RpcError {
  message: string;
  data: { code: ErrorCode; httpStatus: number; request_id?: string; fields?: FieldError[] };
}

function ofRpc(data: RpcError['data'], message: string, headers: Headers | undefined): FirmdeskError {
  return refused({ ...data, status: data.httpStatus, message }, headers);
}

interface Refusal {
  code: ErrorCode;
  message: string;
  status: number;
  request_id?: string | undefined;
  fields?: FieldError[];
}

function refused({ code, message, status, request_id, fields }: Refusal, headers: Headers | undefined) {
  return new FirmdeskError(code, {
    message,
    status,
    requestId: request_id ?? null,
    fields: fields ?? [],
    retryAfterSeconds: retryAfterOf(headers),
  });
}

/** `Retry-After` in seconds (RFC 9110 §10.2.3: seconds, or a date). */
export function retryAfterOf(headers: Headers | undefined): number | null {
  const value = headers?.get('retry-after');
  if (!value) return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}

/** Whether a token was refused for being none any more, which another token may cure. */
export function isDeadToken({ code }: FirmdeskError): boolean {
  return ['invalid_token', 'revoked_token', 'expired_token'].includes(code);
}

/** Whether the same may go well a little later, without anybody changing anything. */
export function isTransient({ code, status }: FirmdeskError): boolean {
  return (
    ['network', 'timeout', 'unavailable', 'rate_limited', 'idempotency_key_in_use'].includes(code) ||
    (code === 'unexpected' && status !== null && status >= 502 && status <= 504)
  );
}

function toFirmdeskError(thrown: unknown): FirmdeskError {
  if (thrown instanceof FirmdeskError) return thrown;
  if (thrown instanceof TRPCClientError) {
    const { data, meta, message, cause } = thrown;
    if (isRpcData(data)) return ofRpc(data, message, (meta?.['response'] as Response | undefined)?.headers);
    if (cause) return toFirmdeskError(cause);
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const name = thrown instanceof Error ? thrown.name : '';
  const code = name === 'AbortError' ? 'aborted' : name === 'TimeoutError' ? 'timeout' : 'unexpected';
  return new FirmdeskError(code, { message, cause: thrown });
}

function isRpcData(data: unknown): data is RpcError['data'] {
  return typeof data === 'object' && data !== null && 'code' in data && 'httpStatus' in data;
}
