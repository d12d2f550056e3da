import type { ErrorCode, FieldError } from '@firmdesk/contract';
import { TRPCClientError } from '@trpc/client';

/**
 * The codes of errors that the client itself raises.
 *
 * - `network`: no response; `timeout`: no response in time; `aborted`: the caller's signal ended the call.
 * - `signed_out`: the token has ended and there is no other.
 * - `unexpected`: a response that is not the service's, such as a proxy's page; or a bug in the calling code.
 */
export type ClientErrorCode = 'network' | 'timeout' | 'aborted' | 'signed_out' | 'unexpected';

/** Every error code of these clients. A newer server may send others: keep a default branch. */
export type FirmdeskErrorCode = ErrorCode | ClientErrorCode;

interface Details {
  message: string;
  status?: number | null;
  requestId?: string | null;
  fields?: readonly FieldError[];
  retryAfterSeconds?: number | null;
  cause?: unknown;
}

/** The error of both clients. Branch on `code`: it is stable; `message` is prose. */
export class FirmdeskError<Code extends FirmdeskErrorCode = FirmdeskErrorCode> extends Error {
  override readonly name = 'FirmdeskError';
  readonly code: Code;
  /** The HTTP status; null without a response. */
  readonly status: number | null;
  /** The id of the call in the service's logs. */
  readonly requestId: string | null;
  /** The invalid fields, for `validation_failed`; otherwise empty. */
  readonly fields: readonly FieldError[];
  /** The number of seconds after which to retry, if the service says so. */
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

/** {@link FirmdeskError} as a union, discriminated by `code`. */
export type AnyFirmdeskError = { [Code in FirmdeskErrorCode]: FirmdeskError<Code> }[FirmdeskErrorCode];

/** Returns whether it is a {@link FirmdeskError}, with one of the codes if any are given. Pass errors of tRPC's own clients through {@link asFirmdeskError} first. */
export function isFirmdeskError<Code extends FirmdeskErrorCode = FirmdeskErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is FirmdeskError<Code> {
  return error instanceof FirmdeskError && (codes.length === 0 || codes.includes(error.code as Code));
}

/** Converts anything thrown to a {@link FirmdeskError}. */
export function asFirmdeskError(thrown: unknown): AnyFirmdeskError {
  return toFirmdeskError(thrown) as AnyFirmdeskError;
}

/** Returns every error in a response: one of `/v1`, or one for each failed call of a batch of `/trpc`. */
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

/** Returns whether it is an error of this service, and not JSON of a proxy. */
function isRefusal(answer: unknown): answer is Answer {
  const error = (answer as Partial<Answer> | null)?.error;
  if (typeof error !== 'object' || error === null) return false;
  return 'json' in error ? isRpcData(error.json?.data) : typeof error.code === 'string';
}

type Answer = {
  error: { code: ErrorCode; message: string; fields?: FieldError[] } | { json: RpcError };
  meta?: { request_id: string };
};

/** An error of `/trpc`, read by its transformer. `code` is JSON-RPC's: branch on `data.code`. */
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

/** Returns `Retry-After` in seconds (RFC 9110 §10.2.3: seconds or a date). */
export function retryAfterOf(headers: Headers | undefined): number | null {
  const value = headers?.get('retry-after');
  if (!value) return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}

/** Returns whether the token was refused because it is invalid or has ended: another token may work. */
export function isDeadToken({ code }: FirmdeskError): boolean {
  return ['invalid_token', 'revoked_token', 'expired_token'].includes(code);
}

/** Returns whether the same call may succeed later. */
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
