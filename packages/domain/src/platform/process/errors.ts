import {
  type ErrorCode,
  type ErrorDetails,
  type ErrorEntry,
  errorTable,
  type FieldError,
  fieldError,
} from '@firmdesk/contract';
import { TRPCError } from '@trpc/server';

type Status = ErrorEntry['status'];

/** The tRPC code of each status, so that an error keeps its status on `/trpc`. */
const trpcCodes = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
} as const satisfies Record<Status, TRPCError['code']>;

/** The limits that `rate_limited` reports, as logs and metrics name them. */
export type LimitName =
  | 'bodies_per_account'
  | 'bulk_changes_per_account'
  | 'calls_per_token'
  | 'drafts_per_account'
  | 'drafts_per_firm'
  | 'invites'
  | 'mail_per_account'
  | 'pre_registration_mail'
  | 'replies_per_ticket'
  | 'sign_ins'
  | 'sockets_per_address'
  | 'sockets_per_token'
  | 'subscriptions_per_socket'
  | 'waiting_calls';

interface Details {
  message?: string | undefined;
  fields?: FieldError[] | undefined;
  /** The status for a query string, where the table has one of its own (contract §7). */
  status?: Status | undefined;
  /** The seconds after which the client may retry. */
  retryAfterSeconds?: number | undefined;
  /** What typed RPC answers beside the code. */
  details?: ErrorDetails | undefined;
  /** The exceeded limit, of `rate_limited`. */
  limit?: LimitName;
  cause?: unknown;
}

/** The error of the domain: a code of the contract's table with a message and the invalid fields. */
export class ApiError extends TRPCError {
  readonly apiCode: ErrorCode;
  readonly status: Status;
  readonly fields: FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly details: ErrorDetails | undefined;
  readonly limit: LimitName | undefined;

  constructor(apiCode: ErrorCode, details: Details = {}) {
    const status = details.status ?? errorTable[apiCode].status;
    super({
      code: trpcCodes[status],
      message: details.message ?? errorTable[apiCode].message,
      cause: details.cause,
    });
    this.name = 'ApiError';
    this.apiCode = apiCode;
    this.status = status;
    const { field } = errorTable[apiCode];
    this.fields = details.fields ?? (field === null ? undefined : [{ path: field, message: this.message }]);
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.details = details.details;
    this.limit = details.limit;
  }
}

/** Returns `validation_failed` for a field of a body, by a rule that a schema cannot state: `must be …`. The empty path is the body. */
export function invalidField(path: string, message: string, cause?: unknown): ApiError {
  const field = fieldError({ path: [path], message });
  return new ApiError('validation_failed', { message: field.message, fields: [field], cause });
}
