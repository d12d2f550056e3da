import { asFirmdeskError } from '@firmdesk/client';
import type { TicketMessage } from '@firmdesk/contract';
import { useMutation, useMutationState } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { queryClient } from '../api.ts';
import { reportError } from '../shell/report-error.ts';
import { type ComposerMode, confirmDraft, putBackDraft, takeDraft } from './reply-drafts.ts';
import { type MessageToSend, messageBody, sendReply } from './send-reply.ts';

/** Ids of messages sent from this page, which are not announced as new. */
const sentIds = new Set<string>();

export function isSentFromHere({ id }: TicketMessage): boolean {
  return sentIds.has(id);
}

const sendKey = (ticketId: string) => ['send on ticket', ticketId];

/** Sends the draft. It is deleted once the service has confirmed the message, and put back on failure. */
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
    // Does not wait for a network: the message would be sent at an unexpected time.
    networkMode: 'always',
    mutationFn: (message: MessageToSend) => sendReply(ticketId, message),
    onSuccess(message, { mode, key }) {
      sentIds.add(message.id);
      confirmDraft(userId, ticketId, mode, key);
      if (isShown.current) onSent(message);
    },
    onError(error, { mode }) {
      putBackDraft(userId, ticketId, mode, isRejection(error));
      // A mounted composer shows the error itself.
      if (!isShown.current) reportError(error, 'Message not sent. It is kept as a draft on its ticket');
    },
  });
  return {
    ...sending,
    /** Sends the draft. */
    send: (mode: ComposerMode, after: string) =>
      mutate({ ...takeDraft(userId, ticketId, mode), mode, after }),
  };
}

/** Puts messages back into the draft that an earlier page sent without a known result. */
export function recoverDrafts(ticketId: string, userId: string): void {
  if (queryClient.isMutating({ mutationKey: sendKey(ticketId) }) > 0) return;
  for (const mode of ['reply', 'note'] as const) putBackDraft(userId, ticketId, mode, false);
}

/** Returns whether the service rejected the message. Otherwise it may have arrived. */
function isRejection(error: unknown): boolean {
  const { status } = asFirmdeskError(error);
  return status !== null && status < 500;
}

/** Returns the messages that are being sent and are not yet in the conversation. */
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
