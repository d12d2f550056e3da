import { FirmdeskError } from '@firmdesk/client';
import type { DelayedSend as AcceptedSend } from '@firmdesk/contract';
import { useMemo } from 'react';
import { client } from '../../api.ts';
import { markOwnChange } from '../../inbox/list/own-changes.ts';
import type { UnsavedMessage } from '../../outbox/entries.ts';
import { outbox } from '../../outbox/outbox.ts';
import { firm } from '../../session/firm.ts';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';
import { offerUndo, type UndoResult, withdrawUndo } from '../../shell/undo.ts';
import { type StoredValue, storedValue, useStoredValue } from '../../stored-value.ts';
import { asDraft, draftOf, isEmptyDraft, putBackDraft, type ReplyDraft } from '../composer/reply-drafts.ts';
import { unseenSince } from '../conversation/unseen.ts';
import { isTicketReady } from '../ready-ticket.ts';
import { returnMessage } from './return-message.ts';
import { messageBody } from './send-reply.ts';
import { markSentFromHere } from './sent-messages.ts';

/** Whether sends are delayed for some seconds, so that they can be undone. */
export const delaysSends = storedValue('hold-replies', (stored) => stored !== false);

/** A reply whose send the service delays: it sends the reply also if this window is closed. */
export interface DelayedSend {
  id: string;
  ticket: string;
  draft: ReplyDraft;
  sendAt: string;
}

/** At most this many messages are shown of those that others have written since. */
const SHOWN_MESSAGES = 20;
/** A reply that was not seen in its conversation for this long after it was due is no longer shown. */
const FORGET_MS = 300_000;

let stored: StoredValue<readonly DelayedSend[]> | null = null;

/** The replies that the account has written in this browser and whose send it delays. A reload keeps them. */
function delayedSends(): StoredValue<readonly DelayedSend[]> {
  stored ??= storedValue(`held.${firm}.${outbox().userId}`, parse);
  return stored;
}

/** Shows a reply that the service has accepted and sends later, and offers to undo it. */
export function showDelayed({ ticket, draft }: UnsavedMessage, { id, send_at: sendAt }: AcceptedSend): void {
  markSentFromHere({ id });
  markOwnChange(ticket, Date.parse(sendAt));
  const reply = { id, ticket, draft, sendAt };
  delayedSends().set([...delayedSends().fresh(), reply]);
  offerUndo('Sending your reply', () => takeBack(reply), { of: id, hasButton: isTicketReady(ticket) });
}

/** Takes a reply back into its draft, unless it is sent already. */
export async function takeBack({ id, ticket, draft }: DelayedSend): Promise<UndoResult> {
  try {
    await client.tickets.takeBackReply.mutate({ ticket, id });
  } catch (error) {
    reportError(error, 'Couldn’t take the reply back');
    return 'failed';
  }
  withdrawUndo(id);
  putBackDraft(outbox().userId, ticket, 'reply', { ...draft, key: null });
  forget(id);
  return 'undone';
}

/**
 * Puts the replies of a ticket that others have overtaken back into their draft, of all tickets by default. The service has made them
 * drafts by then, without the files.
 */
export async function returnOvertaken(ticket?: string): Promise<void> {
  const sends = delayedSends()
    .get()
    .filter((each) => ticket === undefined || each.ticket === ticket);
  // Each is put before the text that the draft has by then.
  for (const each of sends.toReversed()) {
    // A failed call is made again when the stream of drafts starts again.
    await returnIfOvertaken(each).catch(() => {});
  }
}

async function returnIfOvertaken({ id, ticket, draft }: DelayedSend): Promise<void> {
  const { state } = await client.tickets.heldReply.query({ ticket, id });
  if (state === 'kept_for_team' && isDelayedHere(id)) {
    forget(id);
    withdrawUndo(id);
    toast.error('Your reply was not sent', {
      description: 'It may no longer be sent. It is kept on its ticket as a draft for the team.',
      duration: 10_000,
    });
  }
  if (state !== 'not_sent') return;
  const { data } = await client.tickets.messages.query({ ticket, limit: SHOWN_MESSAGES });
  // Another tab may have put it back, or the author has taken it back.
  if (!isDelayedHere(id)) return;
  forget(id);
  withdrawUndo(id);
  const text = messageBody(draft.text);
  removeFromDraft(ticket, text);
  const messages = unseenSince(data.toReversed(), draft.seenThrough).filter(({ from }) => from !== 'system');
  const error = new FirmdeskError('newer_messages', {
    message: 'Others have written on this ticket since.',
    details: { messages },
  });
  returnMessage(outbox().userId, { ticket, mode: 'reply', draft: { ...draft, text } }, error);
}

/** Returns whether no call and no tab has forgotten a reply yet. */
function isDelayedHere(id: string): boolean {
  return delayedSends()
    .fresh()
    .some((each) => each.id === id);
}

/** Removes a text from the draft of a reply: the draft of the service may have arrived before. */
function removeFromDraft(ticket: string, text: string): void {
  const stored = draftOf(outbox().userId, ticket, 'reply');
  const draft = stored.get();
  const start = draft ? `\n\n${draft.text}\n\n`.indexOf(`\n\n${text}\n\n`) : -1;
  if (!draft || start < 0) return;
  const parts = [draft.text.slice(0, Math.max(0, start - 2)), draft.text.slice(start + text.length + 2)];
  const left = { ...draft, text: parts.filter((part) => part !== '').join('\n\n'), html: null };
  stored.set(isEmptyDraft(left) ? null : left);
}

function forget(id: string): void {
  delayedSends().set(
    delayedSends()
      .fresh()
      .filter((each) => each.id !== id),
  );
}

/** Returns the replies of a ticket whose send is delayed. */
export function useDelayedSends(ticketId: string): readonly DelayedSend[] {
  const all = useStoredValue(delayedSends());
  return useMemo(() => all.filter(({ ticket }) => ticket === ticketId), [all, ticketId]);
}

/** Forgets the replies that are in their conversation by now. */
export function forgetSent(ids: ReadonlySet<string>): void {
  const all = delayedSends().get();
  const left = all.filter(({ id }) => !ids.has(id));
  if (left.length < all.length) delayedSends().set(left);
}

function parse(stored: unknown): readonly DelayedSend[] {
  if (!Array.isArray(stored)) return [];
  return stored.filter(
    (each) =>
      asDraft(each?.draft) !== null &&
      [each.id, each.ticket, each.sendAt].every((text) => typeof text === 'string') &&
      Date.parse(each.sendAt) > Date.now() - FORGET_MS,
  );
}
