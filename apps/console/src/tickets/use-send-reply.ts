import { asFirmdeskError } from '@firmdesk/client';
import type { TicketMessage } from '@firmdesk/contract';
import { useMutation, useMutationState } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { queryClient } from '../api.ts';
import { reportError } from '../shell/report-error.ts';
import { type ComposerMode, confirmDraft, putBackDraft, takeDraft } from './reply-drafts.ts';
import { type MessageToSend, messageBody, sendReply } from './send-reply.ts';

/** Messages that were sent from this page: nobody needs to be told of their own. */
const own = new Set<string>();

export function isSentFromHere({ id }: TicketMessage): boolean {
  return own.has(id);
}

const sendKey = (ticketId: string) => ['send on ticket', ticketId];

/** Sends what is written. The draft goes once the service has confirmed it, and is there again when it does not. */
export function useSendReply(ticketId: string, userId: string, onSent: (message: TicketMessage) => void) {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const { mutate, ...sending } = useMutation({
    mutationKey: sendKey(ticketId),
    // What waits for a network would be sent at a moment that nobody chose.
    networkMode: 'always',
    mutationFn: (message: MessageToSend) => sendReply(ticketId, message),
    onSuccess(message, { mode, key }) {
      own.add(message.id);
      confirmDraft(userId, ticketId, mode, key);
      if (isShown.current) onSent(message);
    },
    onError(error, { mode }) {
      putBackDraft(userId, ticketId, mode, isRefusal(error));
      // Where the composer is, it says so itself.
      if (!isShown.current) reportError(error, 'A message was not sent; it is kept on its ticket');
    },
  });
  return {
    ...sending,
    /** Sends the draft. */
    send: (mode: ComposerMode, after: string) =>
      mutate({ ...takeDraft(userId, ticketId, mode), mode, after }),
  };
}

/** What a page that was left had sent, and nothing is known of, is a draft again. */
export function recoverDrafts(ticketId: string, userId: string): void {
  if (queryClient.isMutating({ mutationKey: sendKey(ticketId) }) > 0) return;
  for (const mode of ['reply', 'note'] as const) putBackDraft(userId, ticketId, mode, false);
}

/** Whether the service said no; else nobody knows whether it arrived. */
function isRefusal(error: unknown): boolean {
  const { status } = asFirmdeskError(error);
  return status !== null && status < 500;
}

/** What is on its way on a ticket and has not shown up in its conversation. */
export function useOutgoing(ticketId: string, messages: readonly TicketMessage[]): MessageToSend[] {
  const sending = useMutationState({
    filters: { mutationKey: sendKey(ticketId), status: 'pending' },
    select: ({ state }) => state.variables as MessageToSend,
  });
  return sending.filter(
    ({ text, after }) =>
      !messages.some(
        ({ from, body, created_at }) => from === 'admin' && created_at > after && body === messageBody(text),
      ),
  );
}
