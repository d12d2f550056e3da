import { ApiError } from '../platform/process/errors.ts';
import type { Call } from './call.ts';

export const MAX_SUBSCRIPTIONS = 50;

/**
 * Counts a subscription of a socket until its signal aborts or the returned function is called. Throws `rate_limited`
 * beyond {@link MAX_SUBSCRIPTIONS}.
 */
export function countSubscription({ subscriptions, signal }: Call): () => void {
  if (subscriptions.open >= MAX_SUBSCRIPTIONS) {
    throw new ApiError('rate_limited', {
      message: `A socket can have at most ${MAX_SUBSCRIPTIONS} subscriptions open.`,
      retryAfterSeconds: 1,
      limit: 'subscriptions_per_socket',
    });
  }
  subscriptions.open++;
  let isOpen = true;
  const release = () => {
    if (isOpen) subscriptions.open--;
    isOpen = false;
  };
  signal?.addEventListener('abort', release, { once: true });
  return release;
}
