import { ApiError } from '../../platform/process/errors.ts';

/** Returns the error of a call for a suspended firm. Not a 401: clients would forget their token, which works again later. */
export function firmSuspended(): ApiError {
  return new ApiError('workspace_not_permitted', { message: 'This firm is suspended.' });
}
