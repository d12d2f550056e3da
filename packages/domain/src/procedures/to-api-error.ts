import { type ErrorCode, fieldError, type InvalidField, invalidFields } from '@firmdesk/contract';
import { TRPCError } from '@trpc/server';
import { isUnavailable } from '../platform/database/database-errors.ts';
import { ApiError } from '../platform/process/errors.ts';
import { type ProcedureSpec, statusOf } from './spec.ts';

const MAX_FIELDS = 50;

/** The error codes for the errors that tRPC throws before a procedure runs. */
const codesOfTrpc: Partial<Record<TRPCError['code'], ErrorCode>> = {
  PARSE_ERROR: 'validation_failed',
  BAD_REQUEST: 'validation_failed',
  NOT_FOUND: 'resource_not_found',
  METHOD_NOT_SUPPORTED: 'method_not_allowed',
  PAYLOAD_TOO_LARGE: 'payload_too_large',
  UNSUPPORTED_MEDIA_TYPE: 'unsupported_media_type',
};

/** Converts any thrown value to an error of the contract. An unknown one becomes `internal_error` with its cause for the log. */
export function toApiError(error: unknown, spec?: ProcedureSpec): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof TRPCError) {
    if (error.cause instanceof ApiError) return error.cause;
    const code = codesOfTrpc[error.code];
    if (code) return new ApiError(code, { status: spec && statusOf(spec, code), cause: error });
  }
  if (isUnavailable(error)) return new ApiError('unavailable', { cause: error, retryAfterSeconds: 1 });
  return new ApiError('internal_error', { cause: error });
}

/** Returns the error for an invalid input. Validates it again, for messages that name its fields. */
export function invalidInputError(spec: ProcedureSpec, input: unknown): ApiError {
  return invalidFieldsError(invalidFields(spec.inputSchema, input).slice(0, MAX_FIELDS), spec);
}

/** Returns the error for invalid fields, with the code of the first field, or `validation_failed`. */
export function invalidFieldsError(invalid: readonly InvalidField[], spec: ProcedureSpec): ApiError {
  const codeOf = ({ path: [name] }: InvalidField): ErrorCode =>
    (typeof name === 'string' && spec.fieldCodes[name]) || 'validation_failed';
  // A malformed id gets the same 404 as an unknown one, but only if all other fields are valid.
  const others = invalid.filter((field) => codeOf(field) !== 'resource_not_found');
  const [first] = others;
  if (!first) return new ApiError('resource_not_found');
  const code = codeOf(first);
  const fields = others.map((field) => fieldError(field));
  return new ApiError(code, {
    message: fields[0]!.message,
    fields,
    status: statusOf(spec, code),
  });
}
