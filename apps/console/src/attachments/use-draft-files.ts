import { newIdempotencyKey } from '@firmdesk/client';
import { MAX_ATTACHMENT_BYTES, oneLine } from '@firmdesk/contract';
import { type ClipboardEvent, type DragEvent, useState } from 'react';
import { announce } from '../shell/announcer.tsx';
import { toast } from '../shell/toast.ts';
import type { DraftFile } from './draft-file.ts';
import { cancelUpload, startUpload, type UploadTarget } from './uploads.ts';

/** The files of a draft, and what adds and removes them. */
export interface DraftFiles {
  files: readonly DraftFile[];
  /** Whether files are dragged over the composer. */
  isOver: boolean;
  /** Returns the keys of those that were added. */
  add(files: Iterable<File>): string[];
  remove(file: DraftFile): void;
  /** For the element onto which files can be dropped and pasted. */
  handlers: {
    onPaste(event: ClipboardEvent): void;
    onDragOver(event: DragEvent): void;
    onDragLeave(event: DragEvent): void;
    onDrop(event: DragEvent): void;
  };
}

/** A draft that takes files. */
export interface FileDraft extends UploadTarget {
  files: readonly DraftFile[];
  /** How many files a message can have. */
  maxFiles: number;
  /** Returns why a file cannot be attached beside those of the draft, or null. */
  problemOf?(file: File): string | null;
  /** Called for an uploaded file that was removed. */
  discard?(id: string): void;
}

export function useDraftFiles(draft: FileDraft): DraftFiles {
  const { files, maxFiles } = draft;
  const [isOver, setOver] = useState(false);

  const add = (chosen: Iterable<File>) => {
    const keys: string[] = [];
    for (const file of chosen) {
      const problem =
        files.length + keys.length >= maxFiles
          ? `A message can have ${maxFiles} files.`
          : problemOf(file, draft);
      if (problem) {
        toast.error(`Couldn’t attach ${file.name}`, { description: problem, duration: 10_000 });
        continue;
      }
      const { type, size } = file;
      const name = oneLine(file.name) || 'file';
      const added = { key: newIdempotencyKey(), id: null, name, type, size };
      draft.change((others) => [...others, added]);
      startUpload(added.key, file, draft);
      announce(`${name} attached`);
      keys.push(added.key);
    }
    return keys;
  };
  const remove = ({ key, id, name }: DraftFile) => {
    cancelUpload(key);
    draft.change((others) => others.filter((each) => each.key !== key));
    announce(`${name} removed`);
    if (id !== null) draft.discard?.(id);
  };
  const take = (event: ClipboardEvent | DragEvent, { files: chosen }: DataTransfer) => {
    event.preventDefault();
    add(chosen);
  };
  return {
    files,
    isOver,
    add,
    remove,
    handlers: {
      onPaste(event) {
        const { clipboardData } = event;
        // The text has taken it.
        if (event.isDefaultPrevented()) return;
        // Programs put a picture of copied text beside the text.
        if (clipboardData.files.length > 0 && !clipboardData.types.includes('text/plain'))
          take(event, clipboardData);
      },
      onDragOver(event) {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave(event) {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      },
      onDrop(event) {
        setOver(false);
        if (!event.isDefaultPrevented() && event.dataTransfer.files.length > 0)
          take(event, event.dataTransfer);
      },
    },
  };
}

function problemOf(file: File, draft: FileDraft): string | null {
  if (file.size > MAX_ATTACHMENT_BYTES) return 'Choose a file of at most 25 MB.';
  return file.size === 0 ? 'The file is empty.' : (draft.problemOf?.(file) ?? null);
}
