import { type ErrorCode, errorDocumentation, type FieldError } from '@firmdesk/contract';
import type { ApiError } from '../platform/process/errors.ts';

/** The error body of every transport (contract §1, G-1). */
export interface ErrorBody {
  error: { code: ErrorCode; message: string; fields?: FieldError[]; doc_url: string; challenge?: string };
  meta: { request_id: string };
}

/** Returns `{ data, meta: { request_id } }`. If the output has its own `meta`, the request id becomes its first field. */
export function successBody(output: unknown, requestId: string, hasMeta: boolean): string {
  if (!hasMeta) return JSON.stringify({ data: output, meta: { request_id: requestId } });
  const { data, meta } = output as { data: unknown; meta: object };
  return JSON.stringify({ data, meta: { request_id: requestId, ...meta } });
}

export function errorBody({ apiCode, message, fields, details }: ApiError, requestId: string): ErrorBody {
  return {
    error: {
      code: apiCode,
      message,
      ...(fields && { fields }),
      ...(details?.challenge && { challenge: details.challenge }),
      doc_url: errorDocumentation(apiCode),
    },
    meta: { request_id: requestId },
  };
}
