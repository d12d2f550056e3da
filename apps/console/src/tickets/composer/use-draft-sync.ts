import type { StoredReplyDraft } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useAccount } from '../../session/account.ts';
import { useStoredValue } from '../../stored-value.ts';
import { addNewerDraft, confirmDraft, type DraftRef, draftListQuery, syncDraft } from './draft-sync.ts';
import { type ComposerMode, draftOf } from './reply-drafts.ts';

/** A draft is saved this long after the last key. */
const PAUSE_MS = 1_000;

/** A newer version of the draft, which the author has written on another device. */
export interface NewerDraft {
  text: string;
  add(): void;
  discard(): void;
}

/**
 * Saves a draft with the service while its author types, and shows what they have written on another device. Returns the version of the
 * other device if both have changed.
 */
export function useDraftSync(ticketId: string, mode: ComposerMode): NewerDraft | null {
  const userId = useAccount().user.id;
  const [newer, setNewer] = useState<StoredReplyDraft | null>(null);
  const local = useStoredValue(draftOf(userId, ticketId, mode));
  const { data: list } = useQuery(draftListQuery());
  const version = list?.data.find((each) => each.ticket_id === ticketId && each.mode === mode)?.version;
  const isListed = list !== undefined;

  // When the ticket is opened, and when another device has saved.
  useEffect(() => follow({ userId, ticketId, mode }, setNewer), [userId, ticketId, mode, version, isListed]);
  // After each pause in typing.
  useEffect(() => {
    const ref = { userId, ticketId, mode };
    let stop = () => {};
    const timer = setTimeout(() => {
      stop = follow(ref, setNewer);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [userId, ticketId, mode, local]);
  // When the line is back, the window is left, or the ticket.
  useEffect(() => {
    const ref = { userId, ticketId, mode };
    const syncNow = () => void syncDraft(ref);
    addEventListener('online', syncNow);
    document.addEventListener('visibilitychange', syncNow);
    return () => {
      removeEventListener('online', syncNow);
      document.removeEventListener('visibilitychange', syncNow);
      syncNow();
    };
  }, [userId, ticketId, mode]);

  if (!newer || newer.ticket_id !== ticketId || newer.mode !== mode) return null;
  const ref: DraftRef = { userId, ticketId, mode };
  const decide = (decision: (ref: DraftRef, newer: StoredReplyDraft) => void) => () => {
    decision(ref, newer);
    setNewer(null);
    void syncDraft(ref);
  };
  return { text: newer.text, add: decide(addNewerDraft), discard: decide(confirmDraft) };
}

/** Synchronizes a draft and reports the result, unless the returned function was called before. */
function follow(ref: DraftRef, report: (newer: StoredReplyDraft | null) => void): () => void {
  let isCurrent = true;
  void syncDraft(ref).then((newer) => isCurrent && report(newer));
  return () => {
    isCurrent = false;
  };
}
