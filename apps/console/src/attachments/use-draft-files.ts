import { newIdempotencyKey } from '@firmdesk/client';
import { attachmentTypes, MAX_ATTACHMENT_BYTES, MAX_MESSAGE_ATTACHMENTS } from '@firmdesk/contract';
import { type ClipboardEvent, type DragEvent, useState } from 'react';
import { client } from '../api.ts';
import { useAccount } from '../session/account.ts';
import { announce } from '../shell/announcer.tsx';
import { toast } from '../shell/toast.ts';
import { type ComposerMode, changeDraftFiles } from '../tickets/composer/reply-drafts.ts';
import type { DraftFile } from './draft-file.ts';
import { cancelUpload, startUpload } from './uploads.ts';

/** The files of a draft, and what adds and removes them. */
export interface DraftFiles {
  files: readonly DraftFile[];
  /** Whether files are dragged over the composer. */
  isOver: boolean;
  add(files: Iterable<File>): void;
  remove(file: DraftFile): void;
  /** For the element onto which files can be dropped and pasted. */
  handlers: {
    onPaste(event: ClipboardEvent): void;
    onDragOver(event: DragEvent): void;
    onDragLeave(event: DragEvent): void;
    onDrop(event: DragEvent): void;
  };
}

/** @param files those of the draft of the ticket and mode */
export function useDraftFiles(ticket: string, mode: ComposerMode, files: readonly DraftFile[]): DraftFiles {
  const { user } = useAccount();
  const [isOver, setOver] = useState(false);
  const draft = { userId: user.id, ticket, mode };

  const add = (chosen: Iterable<File>) => {
    let count = files.length;
    for (const file of chosen) {
      const problem = count >= MAX_MESSAGE_ATTACHMENTS ? TOO_MANY : problemOf(file);
      if (problem) {
        toast.error(`Couldn’t attach ${file.name}`, { description: problem, duration: 10_000 });
        continue;
      }
      count++;
      const { name, type, size } = file;
      const added = { key: newIdempotencyKey(), id: null, name, type, size };
      changeDraftFiles(draft, (others) => [...others, added]);
      startUpload(added.key, file, draft);
      announce(`${name} attached`);
    }
  };
  const remove = ({ key, id, name }: DraftFile) => {
    cancelUpload(key);
    changeDraftFiles(draft, (others) => others.filter((each) => each.key !== key));
    announce(`${name} removed`);
    // If this call fails, a job removes the file after some days.
    if (id !== null) client.attachments.remove.mutate({ id }).catch(() => {});
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
        if (event.dataTransfer.files.length > 0) take(event, event.dataTransfer);
      },
    },
  };
}

const TOO_MANY = `A message can have ${MAX_MESSAGE_ATTACHMENTS} files.`;

/** Returns why a file cannot be attached, or null. The service decides by the content. */
function problemOf({ type, size }: File): string | null {
  if (!attachmentTypes.some((each) => each === type))
    return 'Choose a PNG, JPEG, GIF, WebP or AVIF image, or a PDF document.';
  if (size > MAX_ATTACHMENT_BYTES) return 'Choose a file of at most 25 MB.';
  return size === 0 ? 'The file is empty.' : null;
}
