import type { DelayedSend, Ticket, TicketMessage } from '@firmdesk/contract';
import { client } from '../api.ts';
import { markOwnChange } from '../inbox/list/own-changes.ts';
import { isSignedOut } from '../session/account.ts';
import { reportError } from '../shell/report-error.ts';
import { withdrawUndo } from '../shell/undo.ts';
import { addToConversation } from '../tickets/conversation/conversation-query.ts';
import { offerUndoOfChanges, ticketBefore } from '../tickets/properties/reply-changes.ts';
import { showDelayed } from '../tickets/sending/delayed-sends.ts';
import { returnMessage } from '../tickets/sending/return-message.ts';
import { sendReply } from '../tickets/sending/send-reply.ts';
import { markSentFromHere } from '../tickets/sending/sent-messages.ts';
import { refetchTicket, showTicket } from '../tickets/ticket-query.ts';
import { reportRejectedCall, sendCall, showCall } from './calls.ts';
import type { ChangeProcedure, UnsavedChange, UnsavedMessage } from './entries.ts';
import type { OutboxSender } from './outbox.ts';

const failures: Record<ChangeProcedure, string> = {
  assign: 'Couldn’t assign the ticket',
  setPriority: 'Couldn’t change the priority',
  setTags: 'Couldn’t change the tags',
  undoChanges: 'Couldn’t undo the change',
  setStatus: 'Couldn’t change the status',
  switchAssistant: 'Couldn’t change auto-reply',
  blockAssistant: 'Couldn’t change whether the trader can request AI',
  markRead: 'Couldn’t mark the messages as read',
  markUnread: 'Couldn’t mark the ticket as unread',
  snooze: 'Couldn’t snooze the ticket',
  endSnooze: 'Couldn’t end the snooze',
};

/** Sends the entries of an account's outbox. */
export function outboxSenderOf(userId: string): OutboxSender {
  return {
    isSignedOut,
    send(entry) {
      // Its event may come before its answer.
      if (entry.kind !== 'call') markOwnChange(entry.ticket);
      if (entry.kind === 'call') return sendCall(entry);
      return entry.kind === 'message' ? sendMessage(entry) : sendChange(entry);
    },
    async onSaved(entry, result) {
      if (entry.kind !== 'call') markOwnChange(entry.ticket);
      if (entry.kind === 'call') return showCall(entry);
      if (entry.kind === 'change') {
        showTicket(result as Ticket);
        // A ticket that is open again allows more.
        if (entry.procedure === 'undoChanges' && 'status' in entry.input) await refetchTicket(entry.ticket);
        return;
      }
      const { message, before } = result as Sent;
      if (message.object === 'held_reply') return showDelayed(entry, message);
      markSentFromHere(message);
      await addToConversation(message);
      if (message.event === 'ai_command')
        (await import('../tickets/sending/undo-command.ts')).offerUndoOfCommand(message);
      if (before) offerUndoOfChanges(entry, before);
    },
    onRejected(entry, error) {
      withdrawUndo(entry.key);
      if (entry.kind === 'call') reportRejectedCall(entry, error);
      else if (entry.kind === 'change') reportError(error, failures[entry.procedure]);
      else returnMessage(userId, entry, error);
    },
  };
}

interface Sent {
  message: TicketMessage | DelayedSend;
  /** The ticket before the reply has changed it, if that can be undone. */
  before: Ticket | null;
}

async function sendMessage(entry: UnsavedMessage): Promise<Sent> {
  const before = await ticketBefore(entry);
  return { message: await sendReply(entry), before };
}

function sendChange({ procedure, ticket, input, key }: UnsavedChange): Promise<Ticket> {
  // Every procedure of a change takes the ticket, and answers with it.
  const call = client.tickets[procedure] as {
    mutate(input: object, options: object): Promise<Ticket>;
  };
  return call.mutate({ ...input, ticket }, { context: { idempotencyKey: key } });
}
