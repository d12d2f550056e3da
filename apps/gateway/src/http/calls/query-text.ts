import { fieldError } from '@firmdesk/contract';
import { ApiError, invalidFieldsError, type ProcedureSpec } from '@firmdesk/domain';
import type { AcceptedNames } from './ignored-parameters.ts';

export const NOT_UTF8 = 'must be percent-encoded UTF-8';

const ENCODED_BYTES = /(?:%[0-9a-f]{2})+/gi;

/** Returns whether the percent-encoded bytes of a text are UTF-8. `URLSearchParams` would replace those that are not. */
export function isUtf8(text: string): boolean {
  try {
    for (const [bytes] of text.matchAll(ENCODED_BYTES)) decodeURIComponent(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Throws for a parameter of an operation that is not UTF-8, with the parameter's own code. Parameters that are ignored may be anything. */
export function ensureUtf8(query: string, spec: ProcedureSpec, { query: accepted }: AcceptedNames): void {
  if (isUtf8(query)) return;
  const names = query
    .split('&')
    .filter((parameter) => !isUtf8(parameter))
    .flatMap((parameter) => [...new URLSearchParams(parameter).keys()])
    .filter((name) => accepted.has(name));
  if (names.length === 0) return;
  throw invalidFieldsError(
    names.map((name) => ({ path: [name], message: NOT_UTF8 })),
    spec,
  );
}

/** Returns the error for a parameter that no schema describes. */
export function invalidParameter(name: string, message: string): ApiError {
  const field = fieldError({ path: [name], message });
  return new ApiError('validation_failed', { status: 400, message: field.message, fields: [field] });
}
