import { useSyncExternalStore } from 'react';
import { asDraftFiles } from '../../attachments/draft-file.ts';
import { outbox, useIsStalled } from '../../outbox/outbox.ts';
import { firm } from '../../session/firm.ts';
import type { UnsavedDraft } from './draft-saver.ts';

/*
 * The changes of mail drafts that the service does not have yet. The browser stores them for the account and the firm, until they
 * are saved or the draft is deleted.
 */

/** The drafts whose last save has failed. */
const failed = new Set<string>();
const listeners = new Set<() => void>();
let count = 0;

export function readUnsaved(id: string): UnsavedDraft | null {
  try {
    const unsaved: unknown = JSON.parse(localStorage.getItem(keyOf(id)) ?? 'null');
    return isStored(unsaved) ? withFiles(unsaved) : null;
  } catch {
    return null;
  }
}

export function keepUnsaved(id: string, unsaved: UnsavedDraft): void {
  try {
    localStorage.setItem(keyOf(id), JSON.stringify(unsaved));
  } catch {
    // Storage is full or disabled. The service gets the draft shortly.
  }
  changed();
}

export function deleteUnsaved(id: string): void {
  failed.delete(id);
  try {
    localStorage.removeItem(keyOf(id));
  } catch {
    // Without storage there is nothing to delete.
  }
  changed();
}

/** Records that a save has failed, so that the header says so. */
export function markFailed(id: string): void {
  failed.add(id);
  changed();
}

/** Returns the ids of the drafts with unsaved changes. */
export function unsavedDrafts(): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix()))
      .map((key) => key.slice(prefix().length));
  } catch {
    return [];
  }
}

/** Returns how many drafts wait to be saved. One whose addresses were refused waits for its writer. */
function waitingDrafts(): number {
  return unsavedDrafts().filter((id) => !readUnsaved(id)?.isPartlySaved).length;
}

/** Returns how many drafts have changes that could not be saved. */
export function useUnsavedDrafts(): number {
  const isStalled = useIsStalled();
  const stored = useSyncExternalStore(subscribe, () => count);
  const ofFailed = useSyncExternalStore(subscribe, () => failed.size);
  return isStalled ? stored : ofFailed;
}

function subscribe(listener: () => void): () => void {
  count = waitingDrafts();
  listeners.add(listener);
  addEventListener('storage', changed);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener('storage', changed);
  };
}

function changed(): void {
  count = waitingDrafts();
  for (const listener of listeners) listener();
}

function prefix(): string {
  return `firmdesk.mail-draft.${firm}.${outbox().userId}.`;
}

function keyOf(id: string): string {
  return prefix() + id;
}

function isStored(value: unknown): value is UnsavedDraft {
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

/** Returns a stored draft with its files and the message that it answers. */
function withFiles({ content, ...unsaved }: UnsavedDraft): UnsavedDraft {
  const { files, in_reply_to }: { files?: unknown; in_reply_to?: unknown } = content;
  return {
    ...unsaved,
    content: {
      ...content,
      files: asDraftFiles(files),
      in_reply_to: typeof in_reply_to === 'string' ? in_reply_to : null,
    },
  };
}
