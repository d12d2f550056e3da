import { asFirmdeskError } from '@firmdesk/client';
import type { TicketMessage } from '@firmdesk/contract';
import { useSyncExternalStore } from 'react';
import type { ComposerMode } from '../composer/reply-drafts.ts';

/** A message that the service has rejected. Its text is in the draft again. */
export interface RejectedMessage {
  ticket: string;
  mode: ComposerMode;
  text: string;
  error: unknown;
}

let rejected: RejectedMessage | null = null;
const listeners = new Set<() => void>();

export function rejectMessage(message: RejectedMessage | null): void {
  rejected = message;
  for (const listener of listeners) listener();
}

/** Returns the latest rejected message of the page if it is of this ticket and mode. */
export function useRejectedMessage(ticketId: string, mode: ComposerMode): RejectedMessage | null {
  const latest = useSyncExternalStore(subscribe, () => rejected);
  return latest?.ticket === ticketId && latest.mode === mode ? latest : null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the messages that the writer had not seen, if that is why a message was rejected. */
export function newerMessagesIn(error: unknown): readonly TicketMessage[] | null {
  const { code, details } = asFirmdeskError(error);
  return code === 'newer_messages' ? (details?.messages ?? null) : null;
}
