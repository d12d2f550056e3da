import type { ErrorCode, ErrorDetails, FieldError } from '@firmdesk/contract';
import type { TRPCClientError } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';

/**
 * The codes of errors that the client itself raises.
 *
 * - `network`: no response; `timeout`: no response in time; `aborted`: the caller's signal ended the call.
 * - `signed_out`: the token is not live, and there is no other token.
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
  details?: ErrorDetails | null;
  cause?: unknown;
}

/** The error that both clients throw. Branch on `code`, which is stable. `message` is prose. */
export class FirmdeskError<Code extends FirmdeskErrorCode = FirmdeskErrorCode> extends Error {
  override readonly name = 'FirmdeskError';
  readonly code: Code;
  /** The HTTP status; null if there was no response. */
  readonly status: number | null;
  /** The id of the call in the service's logs. */
  readonly requestId: string | null;
  /** The invalid fields, where the error is about fields; otherwise empty. */
  readonly fields: readonly FieldError[];
  /** The seconds to wait before a retry (`Retry-After`); null if the service did not say. */
  readonly retryAfterSeconds: number | null;
  /** What an error of `/trpc` says beside its code, such as the messages of `newer_messages` or the challenge of `second_factor_required`; null for most codes. */
  readonly details: ErrorDetails | null;

  constructor(
    code: Code,
    { message, status, requestId, fields, retryAfterSeconds, details, cause }: Details,
  ) {
    super(message, { cause });
    this.code = code;
    this.status = status ?? null;
    this.requestId = requestId ?? null;
    this.fields = fields ?? [];
    this.retryAfterSeconds = retryAfterSeconds ?? null;
    this.details = details ?? null;
  }
}

/** {@link FirmdeskError} as a union, discriminated by `code`. */
export type AnyFirmdeskError = { [Code in FirmdeskErrorCode]: FirmdeskError<Code> }[FirmdeskErrorCode];

/**
 * Returns whether an error is a {@link FirmdeskError}, and has one of the codes if any are given. Convert errors of tRPC's own clients
 * with {@link asFirmdeskError} first.
 */
export function isFirmdeskError<Code extends FirmdeskErrorCode = FirmdeskErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is FirmdeskError<Code> {
  // By name, because an application can load both the ES module and the CommonJS module.
  const isOurs = error instanceof Error && error.name === 'FirmdeskError';
  return isOurs && (codes.length === 0 || codes.includes((error as FirmdeskError<Code>).code));
}

/** Converts anything thrown to a {@link FirmdeskError}. */
export function asFirmdeskError(thrown: unknown): AnyFirmdeskError {
  return toFirmdeskError(thrown) as AnyFirmdeskError;
}

/** Returns the errors in a response: one of `/v1`, or one for each failed call of a batch of `/trpc`. */
export async function errorsIn(response: Response): Promise<FirmdeskError[]> {
  if (response.ok && response.status !== 207) return [];
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const bodies: unknown[] = Array.isArray(body) ? body : [body];
  const { headers, status } = response;
  return bodies.filter(isErrorBody).map(({ error, meta }) => {
    if ('json' in error) return rpcErrorOf(error.json.data, error.json.message, headers);
    const { challenge } = error;
    const details = challenge === undefined ? {} : { details: { challenge } };
    return serviceError({ ...error, ...details, status, request_id: meta?.request_id }, headers);
  });
}

/** Returns whether a body is an error of the service, as opposed to JSON of a proxy. */
function isErrorBody(body: unknown): body is ErrorBody {
  const error = (body as Partial<ErrorBody> | null)?.error;
  if (typeof error !== 'object' || error === null) return false;
  return 'json' in error ? isRpcData(error.json?.data) : typeof error.code === 'string';
}

/** The body of an error: of `/v1`, or of one call of `/trpc`. */
type ErrorBody = {
  error: { code: ErrorCode; message: string; fields?: FieldError[]; challenge?: string } | { json: RpcError };
  meta?: { request_id: string };
};

/** An error of `/trpc` after deserialization. `code` is JSON-RPC's: branch on `data.code`. */
export interface RpcErrorShape extends RpcError {
  code: number;
}

interface RpcError {
  message: string;
  data: {
    code: ErrorCode;
    httpStatus: number;
    request_id?: string;
    fields?: FieldError[];
    details?: ErrorDetails;
  };
}

/** Converts an error of `/trpc`. */
function rpcErrorOf(data: RpcError['data'], message: string, headers: Headers | undefined): FirmdeskError {
  return serviceError({ ...data, status: data.httpStatus, message }, headers);
}

interface ServiceErrorFields {
  code: ErrorCode;
  message: string;
  status: number;
  request_id?: string | undefined;
  fields?: FieldError[];
  details?: ErrorDetails;
}

function serviceError(
  { code, message, status, request_id, fields, details }: ServiceErrorFields,
  headers: Headers | undefined,
) {
  return new FirmdeskError(code, {
    message,
    status,
    requestId: request_id ?? null,
    fields: fields ?? [],
    retryAfterSeconds: retryAfterOf(headers),
    details: details ?? null,
  });
}

/** Returns the error for a response that did not come from the service. */
export function unexpectedResponse({ status, headers }: Response): FirmdeskError<'unexpected'> {
  return new FirmdeskError('unexpected', {
    message: `The response (status ${status}) did not come from the service.`,
    status,
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

/** Returns whether the token is invalid, revoked or expired. Another token may work. */
export function isTokenError({ code }: FirmdeskError): boolean {
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
  if (isFirmdeskError(thrown)) return thrown;
  if (isTrpcError(thrown)) {
    const { data, meta, message, cause } = thrown;
    if (isRpcData(data))
      return rpcErrorOf(data, message, (meta?.['response'] as Response | undefined)?.headers);
    if (cause) return toFirmdeskError(cause);
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const name = thrown instanceof Error ? thrown.name : '';
  const code = name === 'AbortError' ? 'aborted' : name === 'TimeoutError' ? 'timeout' : 'unexpected';
  return new FirmdeskError(code, { message, cause: thrown });
}

/** Compares the name and not the class, so that the REST client does not load tRPC's client. */
function isTrpcError(thrown: unknown): thrown is TRPCClientError<AnyTRPCRouter> {
  return thrown instanceof Error && thrown.name === 'TRPCClientError';
}

function isRpcData(data: unknown): data is RpcError['data'] {
  return typeof data === 'object' && data !== null && 'code' in data && 'httpStatus' in data;
}
