import type { TicketMessage } from '@firmdesk/contract';
import { useMutation, useMutationState } from '@tanstack/react-query';
import { client } from '../api.ts';
import { instructionOf } from './assistant-command.ts';
import { draftOf, type WritingMode } from './drafts.ts';

/** What is on its way to the service. */
export interface Outgoing {
  mode: WritingMode;
  text: string;
  imageUrl: string;
  imageName: string;
  /** Its idempotency key: sent again, it still arrives once. */
  key: string;
  /** When the conversation's last message was written as it was sent. */
  after: string;
}

/** Messages that were sent from this page: nobody needs to be told of their own. */
const own = new Set<string>();

export function isOwn({ id }: TicketMessage): boolean {
  return own.has(id);
}

const sendKey = (ticketId: string) => ['send on ticket', ticketId];

/** Sends what is written. The draft goes once the service has confirmed it, and not before. */
export function useSendMessage(ticketId: string, userId: string, onSent: (message: TicketMessage) => void) {
  return useMutation({
    mutationKey: sendKey(ticketId),
    // What waits for a network would be sent at a moment that nobody chose.
    networkMode: 'always',
    mutationFn: (outgoing: Outgoing) => send(ticketId, outgoing),
    onSuccess(message, { mode, key }) {
      own.add(message.id);
      const draft = draftOf(userId, ticketId, mode);
      if (draft.get()?.key === key) draft.set(null);
      onSent(message);
    },
  });
}

/** What is on its way on a ticket and has not shown up in its conversation. */
export function useOutgoing(ticketId: string, messages: readonly TicketMessage[]): Outgoing[] {
  const sending = useMutationState({
    filters: { mutationKey: sendKey(ticketId), status: 'pending' },
    select: ({ state }) => state.variables as Outgoing,
  });
  return sending.filter(
    ({ text, after }) =>
      !messages.some(
        ({ from, body, created_at }) => from === 'admin' && created_at > after && body === bodyOf(text),
      ),
  );
}

/** A text as the conversation will show it. */
export function bodyOf(text: string): string {
  const instruction = instructionOf(text);
  return instruction === null ? text.trim() : `/ai ${instruction}`;
}

function send(ticket: string, { mode, text, imageUrl, imageName, key }: Outgoing): Promise<TicketMessage> {
  const options = { context: { idempotencyKey: key } };
  const instruction = instructionOf(text);
  if (instruction !== null) return client.tickets.askAssistant.mutate({ ticket, instruction }, options);
  const body = bodyOf(text);
  if (mode === 'note') return client.tickets.addNote.mutate({ ticket, body }, options);
  const image = { image_url: imageUrl.trim() || null, image_name: imageName.trim() || null };
  return client.tickets.reply.mutate({ ticket, body, ...image }, options);
}
