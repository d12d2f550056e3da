import { ApiError } from '../platform/errors.ts';
import type { Call } from './call.ts';

export const MAX_SUBSCRIPTIONS = 50;

/**
 * Counts a subscription to its socket until the signal, or until the returned function is called. Raises `rate_limited`
 * beyond {@link MAX_SUBSCRIPTIONS}.
 */
export function holdOpen(call: Call, signal: AbortSignal | undefined): () => void {
  const open = call.subscriptions ?? 0;
  if (open >= MAX_SUBSCRIPTIONS) {
    throw new ApiError('rate_limited', {
      message: `A socket holds at most ${MAX_SUBSCRIPTIONS} subscriptions.`,
      retryAfterSeconds: 1,
    });
  }
  call.subscriptions = open + 1;
  let isOpen = true;
  const release = () => {
    if (isOpen) call.subscriptions = (call.subscriptions ?? 1) - 1;
    isOpen = false;
  };
  signal?.addEventListener('abort', release, { once: true });
  return release;
}
