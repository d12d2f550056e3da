import type { TicketMessage } from '@firmdesk/contract';
import type { OutboxEntry, UnsavedMessage } from '../../outbox/entries.ts';
import { messageBody } from './send-reply.ts';

/** Returns the unconfirmed messages that are not yet in the conversation. */
export function outgoingOf(
  entries: readonly OutboxEntry[],
  messages: readonly TicketMessage[],
): UnsavedMessage[] {
  const sending = entries.filter((entry): entry is UnsavedMessage => entry.kind === 'message');
  return sending.filter(
    ({ draft, after }) =>
      !messages.some(
        ({ from, body, created_at }) =>
          from === 'admin' && created_at > after && body === messageBody(draft.text),
      ),
  );
}
