import pLimit from 'p-limit';
import { ApiError } from './errors.ts';

/** Beyond this number of waiting tasks, reject with `unavailable`. */
export const MAX_WAITING = 100;

/**
 * Returns a function that runs at most `concurrency` tasks concurrently; the others wait in the order of arrival. It rejects with
 * `unavailable` when too many wait.
 */
export function limitTasks(concurrency: number): <T>(task: () => Promise<T>) => Promise<T> {
  const limit = pLimit(concurrency);
  return async (task) => {
    if (limit.activeCount + limit.pendingCount >= concurrency + MAX_WAITING)
      throw new ApiError('unavailable', { retryAfterSeconds: 1 });
    return await limit(task);
  };
}
