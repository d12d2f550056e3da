import type { TicketMessage } from '@firmdesk/contract';
import { useState, useSyncExternalStore } from 'react';
import { isSentFromHere } from '../sending/sent-messages.ts';

/** Returns the messages after a time that were not sent from this page; null means all. Includes streaming replies. */
export function unseenSince(messages: readonly TicketMessage[], seenThrough: string | null): TicketMessage[] {
  return messages.filter(
    (message) => (seenThrough === null || message.created_at > seenThrough) && !isSentFromHere(message),
  );
}

/** Returns `created_at` of the newest message that was visible in a focused window. */
export function useSeenThrough(messages: readonly TicketMessage[], isEndInView: boolean): string | null {
  const [seenThrough, setSeenThrough] = useState<string | null>(null);
  const newest = messages.at(-1)?.created_at ?? null;
  const isFocused = useIsWindowFocused();
  if (newest !== null && newest !== seenThrough && isEndInView && isFocused) setSeenThrough(newest);
  return seenThrough;
}

/** Returns whether the window is visible and focused. */
export function useIsWindowFocused(): boolean {
  return useSyncExternalStore(
    followWindowFocus,
    () => document.visibilityState === 'visible' && document.hasFocus(),
  );
}

function followWindowFocus(listener: () => void): () => void {
  addEventListener('focus', listener);
  addEventListener('blur', listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    removeEventListener('focus', listener);
    removeEventListener('blur', listener);
    document.removeEventListener('visibilitychange', listener);
  };
}
