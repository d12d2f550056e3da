import type { OpenMailMessage } from '@firmdesk/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { client, trpc } from '../api.ts';
import { type DraftContent, DraftSaver, type StoredDraft } from './draft-saver.ts';
import { parseAddresses, recipientAddresses } from './recipients.ts';

/** The state of a draft that is being edited, and its saver. */
export function useMailDraft(draft: OpenMailMessage) {
  const queries = useQueryClient();
  const [saver] = useState(
    () => new DraftSaver(toStoredDraft(draft), readUnsaved(draft.id), storageOf(draft.id)),
  );
  const state = useSyncExternalStore(saver.subscribe, () => saver.state);

  useEffect(() => {
    const flush = () => void saver.flush();
    addEventListener('online', flush);
    addEventListener('pagehide', flush);
    return () => {
      removeEventListener('online', flush);
      removeEventListener('pagehide', flush);
      // On unmount, saves and then refreshes the list and the cached draft.
      void saver.flush().finally(() => queries.invalidateQueries(trpc.mail.pathFilter()));
    };
  }, [saver, queries]);

  return { ...state, saver };
}

/** Deletes the unsaved changes of a draft from the browser. */
export function deleteUnsaved(id: string): void {
  try {
    localStorage.removeItem(keyOf(id));
  } catch {
    // Without storage there is nothing to delete.
  }
}

function storageOf(draft_id: string) {
  return {
    async save({ to, cc, bcc, ...content }: DraftContent, version: string) {
      const recipients = { to: parseAddresses(to), cc: parseAddresses(cc), bcc: parseAddresses(bcc) };
      const saved = await client.mail.saveDraft.mutate(
        { ...content, ...recipients, draft_id },
        { context: { ifMatch: `"${version}"` } },
      );
      return saved.message_at;
    },
    load: async () => toStoredDraft(await client.mail.get.query({ id: draft_id })),
    keepUnsaved(unsaved: StoredDraft) {
      try {
        localStorage.setItem(keyOf(draft_id), JSON.stringify(unsaved));
      } catch {
        // Storage is full or disabled. The service gets the draft shortly.
      }
    },
    deleteUnsaved: () => deleteUnsaved(draft_id),
  };
}

function keyOf(id: string): string {
  return `firmdesk.mail-draft.${id}`;
}

function readUnsaved(id: string): StoredDraft | null {
  try {
    const unsaved: unknown = JSON.parse(localStorage.getItem(keyOf(id)) ?? 'null');
    return isStored(unsaved) ? unsaved : null;
  } catch {
    return null;
  }
}

function isStored(value: unknown): value is StoredDraft {
  if (typeof value !== 'object' || value === null || !('content' in value) || !('version' in value))
    return false;
  const { content, version } = value;
  if (typeof version !== 'string' || typeof content !== 'object' || content === null) return false;
  const { address_id, ...texts } = content as Record<string, unknown>;
  return (
    typeof address_id === 'number' &&
    ['to', 'cc', 'bcc', 'subject', 'body'].every((name) => typeof texts[name] === 'string')
  );
}

function toStoredDraft({ address_id, subject, body, message_at, ...draft }: OpenMailMessage): StoredDraft {
  return {
    content: {
      address_id,
      to: recipientAddresses(draft.to_recipients),
      cc: recipientAddresses(draft.cc_recipients),
      bcc: recipientAddresses(draft.bcc_recipients),
      subject,
      body,
    },
    version: message_at,
  };
}
