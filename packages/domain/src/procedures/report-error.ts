import type { ApiError } from '../platform/process/errors.ts';
import type { Services } from '../platform/services.ts';
import type { Call } from './call.ts';

/** Logs an internal error of a call with its cause, and logs and counts an exceeded limit. */
export function reportError({ log, limits }: Services, call: Call, error: ApiError): void {
  const { apiCode, status, cause } = error;
  const fields = { request_id: call.requestId, procedure: call.procedure, code: apiCode };
  if (status >= 500) log.error({ ...fields, err: cause }, 'call failed');
  if (apiCode === 'rate_limited') {
    const { limit = 'waiting_calls' } = error;
    limits.onRejected(limit);
    log.warn({ ...fields, limit, token: call.identity?.tokenId }, 'limit exceeded');
  }
}
