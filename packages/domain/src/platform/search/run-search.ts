import type { Pool } from 'pg';
import { CONCURRENT_SEARCHES } from '../database/connections/search-pool.ts';
import { sqlState } from '../database/database-errors.ts';
import { ApiError } from '../process/errors.ts';
import { FairSemaphore } from '../process/fair-semaphore.ts';
import type { Services } from '../services.ts';

const QUERY_CANCELED = '57014';

/** Searches share their connections fairly between accounts. */
const searchSemaphore = new FairSemaphore(CONCURRENT_SEARCHES);

/**
 * Reads on a connection for searches, which accounts share fairly. Throws `unavailable` for a search that takes too long, and `rate_limited` if too
 * many searches of the account wait.
 */
export function runSearch<T>(
  services: Pick<Services, 'replica' | 'searchPool'>,
  account: string,
  read: (pool: Pool) => Promise<T>,
): Promise<T> {
  return searchSemaphore.run(account, () =>
    services.replica.read(read, services.searchPool).catch(throwSearchError),
  );
}

/** Throws `unavailable` for a search that exceeded the statement timeout, and any other error as it is. */
function throwSearchError(error: unknown): never {
  throw sqlState(error) === QUERY_CANCELED ? tooMuchToSearch(error) : error;
}

/** Returns the error for a search that reads too much. */
export function tooMuchToSearch(cause?: unknown): ApiError {
  return new ApiError('unavailable', {
    message: 'The search took too long. Add a less common word or another filter.',
    retryAfterSeconds: 5,
    cause,
  });
}
