import type { TicketMessage } from '@firmdesk/contract';
import { useState, useSyncExternalStore } from 'react';
import { isSentFromHere } from './use-send-reply.ts';

/** Others' messages since a moment; all of them when there was none. A reply under way is among them. */
export function unseenSince(messages: readonly TicketMessage[], seenThrough: string | null): TicketMessage[] {
  return messages.filter(
    (message) => (seenThrough === null || message.created_at > seenThrough) && !isSentFromHere(message),
  );
}

/** When the newest message was written that was in view of somebody who was looking. */
export function useSeenThrough(messages: readonly TicketMessage[], isEndInView: boolean): string | null {
  const [seenThrough, setSeenThrough] = useState<string | null>(null);
  const newest = messages.at(-1)?.created_at ?? null;
  const isFocused = useIsWindowFocused();
  if (newest !== null && newest !== seenThrough && isEndInView && isFocused) setSeenThrough(newest);
  return seenThrough;
}

/** Whether the window is in front and has the focus. */
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
