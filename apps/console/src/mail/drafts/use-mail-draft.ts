import type { OpenMailMessage } from '@firmdesk/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { trpc } from '../../api.ts';
import { openDraft, saverOf, toStoredDraft } from './stored-drafts.ts';

/** The state of a draft that is being edited, and its saver. */
export function useMailDraft(draft: OpenMailMessage) {
  const queries = useQueryClient();
  const [saver] = useState(() => saverOf(draft));
  const state = useSyncExternalStore(saver.subscribe, () => saver.state);

  // The message is loaded again when a colleague, or another device, saves it.
  useEffect(() => saver.follow(toStoredDraft(draft)), [saver, draft]);

  useEffect(() => {
    const close = openDraft(draft.id, saver);
    const flush = () => void saver.flush();
    addEventListener('online', flush);
    addEventListener('pagehide', flush);
    return () => {
      removeEventListener('online', flush);
      removeEventListener('pagehide', flush);
      // On unmount, saves and then refreshes the list and the cached draft.
      void close().finally(() => queries.invalidateQueries(trpc.mail.pathFilter()));
    };
  }, [draft.id, saver, queries]);

  return { ...state, saver };
}
