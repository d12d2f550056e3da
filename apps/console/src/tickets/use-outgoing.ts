import type { TicketMessage } from '@firmdesk/contract';
import { messagesAmong } from './courier.ts';
import type { OutboxEntry, UnsavedMessage } from './outbox.ts';
import { messageBody } from './send-reply.ts';

/** Returns the unconfirmed messages that are not yet in the conversation. */
export function outgoingOf(
  entries: readonly OutboxEntry[],
  messages: readonly TicketMessage[],
): UnsavedMessage[] {
  return messagesAmong(entries).filter(
    ({ draft, after }) =>
      !messages.some(
        ({ from, body, created_at }) =>
          from === 'admin' && created_at > after && body === messageBody(draft.text),
      ),
  );
}
