import type { ErrorCode } from '@firmdesk/contract';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { isUnavailable } from '../platform/database-errors.ts';
import { ApiError } from '../platform/errors.ts';
import type { ProcedureSpec } from './spec.ts';

const MAX_FIELDS = 50;

/** tRPC's own refusals, made before a procedure runs. */
const ofTransport: Partial<Record<TRPCError['code'], ErrorCode>> = {
  PARSE_ERROR: 'validation_failed',
  BAD_REQUEST: 'validation_failed',
  NOT_FOUND: 'resource_not_found',
  METHOD_NOT_SUPPORTED: 'method_not_allowed',
  PAYLOAD_TOO_LARGE: 'payload_too_large',
  UNSUPPORTED_MEDIA_TYPE: 'unsupported_media_type',
};

/** Whatever was thrown, as an error of the contract. What is unknown becomes `internal_error`, its cause kept for the log. */
export function toApiError(error: unknown, spec?: ProcedureSpec): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof TRPCError) {
    if (error.cause instanceof ApiError) return error.cause;
    if (error.code === 'BAD_REQUEST' && error.cause instanceof z.core.$ZodError) {
      return ofInput(error.cause, spec);
    }
    const code = ofTransport[error.code];
    if (code) return new ApiError(code, { status: validationStatus(code, spec), cause: error });
  }
  if (isUnavailable(error)) return new ApiError('unavailable', { cause: error, retryAfterSeconds: 1 });
  return new ApiError('internal_error', { cause: error });
}

function ofInput(error: z.core.$ZodError, spec: ProcedureSpec | undefined): ApiError {
  const fields = error.issues.slice(0, MAX_FIELDS).map(({ path, message }) => ({ path, message }));
  return refusedInput(fields, spec, error);
}

interface RefusedField {
  path: readonly PropertyKey[];
  message: string;
}

/** Fields that were refused: with the first one's own code where it has one, else `validation_failed`, 400 for a query. */
export function refusedInput(
  refused: readonly RefusedField[],
  spec: ProcedureSpec | undefined,
  cause?: unknown,
): ApiError {
  const codeOf = ({ path: [name] }: RefusedField): ErrorCode =>
    (typeof name === 'string' && spec?.fieldCodes[name]) || 'validation_failed';
  // Looking things up comes after the rest of the input, and what is no id is answered as an id that nothing has.
  const readable = refused.filter((field) => codeOf(field) !== 'resource_not_found');
  const [first] = readable;
  if (!first) return new ApiError('resource_not_found', { cause });
  const code = codeOf(first);
  const fields = readable.map(({ path, message }) => ({
    path: pathText(path),
    message: message.replace(/\.$/, ''),
  }));
  const { path, message } = fields[0]!;
  return new ApiError(code, {
    message: `${path ? `\`${path}\`` : 'The body'} ${message}.`,
    fields: code === 'validation_failed' ? fields : undefined,
    status: validationStatus(code, spec),
    cause,
  });
}

function validationStatus(code: ErrorCode, spec: ProcedureSpec | undefined): 400 | 422 | undefined {
  if (code !== 'validation_failed') return undefined;
  return spec?.input === 'query' ? 400 : 422;
}

/** `to[2].email`. */
function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : text ? `${text}.${String(key)}` : String(key),
    '',
  );
}
