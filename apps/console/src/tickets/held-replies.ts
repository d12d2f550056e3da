import type { HeldReply as Held } from '@firmdesk/contract';
import { useMemo } from 'react';
import { client } from '../api.ts';
import type { UnsavedMessage } from '../outbox/entries.ts';
import { outbox } from '../outbox/outbox.ts';
import { firm } from '../session/firm.ts';
import { reportError } from '../shell/report-error.ts';
import { offerUndo, type UndoResult, withdrawUndo } from '../shell/undo.ts';
import { type StoredValue, storedValue, useStoredValue } from '../stored-value.ts';
import { asDraft, putBackDraft, type ReplyDraft } from './reply-drafts.ts';
import { markSentFromHere } from './sent-messages.ts';

/** Whether replies are held for some seconds, so that they can be taken back. */
export const holdsReplies = storedValue('hold-replies', (stored) => stored !== false);

/** A reply that the service holds: it sends the reply also if this window is closed. */
export interface HeldReply {
  id: string;
  ticket: string;
  draft: ReplyDraft;
  sendAt: string;
}

/** A reply that was not seen in its conversation for this long after it was due is no longer shown. */
const FORGET_MS = 300_000;

let held: StoredValue<readonly HeldReply[]> | null = null;

/** The replies that the account has written in this browser and the service holds. A reload keeps them. */
function heldReplies(): StoredValue<readonly HeldReply[]> {
  held ??= storedValue(`held.${firm}.${outbox().userId}`, parse);
  return held;
}

/** Shows a reply that the service has accepted and holds, and offers to undo it. */
export function showHeld({ ticket, draft }: UnsavedMessage, { id, send_at: sendAt }: Held): void {
  markSentFromHere({ id });
  const reply = { id, ticket, draft, sendAt };
  heldReplies().set([...heldReplies().get(), reply]);
  offerUndo('Sending your reply', () => takeBack(reply), { of: id });
}

/** Takes a reply back into its draft, unless it is sent already. */
export async function takeBack({ id, ticket, draft }: HeldReply): Promise<UndoResult> {
  try {
    await client.tickets.takeBackReply.mutate({ ticket, id });
  } catch (error) {
    reportError(error, 'Couldn’t take the reply back');
    return 'failed';
  }
  withdrawUndo(id);
  putBackDraft(outbox().userId, ticket, 'reply', { ...draft, key: null });
  heldReplies().set(
    heldReplies()
      .get()
      .filter((each) => each.id !== id),
  );
  return 'undone';
}

/** Returns the replies that the service holds on a ticket. */
export function useHeldReplies(ticketId: string): readonly HeldReply[] {
  const all = useStoredValue(heldReplies());
  return useMemo(() => all.filter(({ ticket }) => ticket === ticketId), [all, ticketId]);
}

/** Forgets the replies that are in their conversation by now. */
export function forgetSent(ids: ReadonlySet<string>): void {
  const all = heldReplies().get();
  const left = all.filter(({ id }) => !ids.has(id));
  if (left.length < all.length) heldReplies().set(left);
}

function parse(stored: unknown): readonly HeldReply[] {
  if (!Array.isArray(stored)) return [];
  return stored.filter(
    (each) =>
      asDraft(each?.draft) !== null &&
      [each.id, each.ticket, each.sendAt].every((text) => typeof text === 'string') &&
      Date.parse(each.sendAt) > Date.now() - FORGET_MS,
  );
}
