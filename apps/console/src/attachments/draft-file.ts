import { newIdempotencyKey } from '@firmdesk/client';
import { type Attachment, type AttachmentType, MAX_MESSAGE_ATTACHMENTS } from '@firmdesk/contract';

/** A file of an unsent message. */
export interface DraftFile {
  /** Names the file on this page, and is the idempotency key with which it is announced. */
  key: string;
  /** Null until it is uploaded. */
  id: string | null;
  name: string;
  type: string;
  size: number;
}

/** Returns stored JSON as the files of a draft. */
export function asDraftFiles(stored: unknown): DraftFile[] {
  if (!Array.isArray(stored)) return [];
  return stored.filter(
    (file) =>
      [file?.key, file?.name, file?.type].every((text) => typeof text === 'string') &&
      typeof file.size === 'number' &&
      (file.id === null || typeof file.id === 'string'),
  );
}

/** Returns a file of a message that was not sent as a file of a draft. */
export function asDraftFile({
  id,
  name,
  type,
  size,
}: Pick<Attachment, 'id' | 'name' | 'size'> & { type: string }): DraftFile {
  return { key: newIdempotencyKey(), id, name, type, size };
}

/** Returns the ids of the uploaded files of a message. */
export function fileIds(files: readonly DraftFile[]): string[] {
  return files.flatMap(({ id }) => id ?? []);
}

/** Returns the files of an unsent message as its conversation shows them. */
export function shownFiles(files: readonly DraftFile[]): Attachment[] {
  return files.flatMap(({ id, name, type, size }) =>
    id === null ? [] : [{ id, name, type: type as AttachmentType, size, deleted: false }],
  );
}

/** Returns why the files cannot be sent, or null if they can. */
export function filesProblem(files: readonly DraftFile[]): string | null {
  if (files.length > MAX_MESSAGE_ATTACHMENTS)
    return `Remove files: a message can have ${MAX_MESSAGE_ATTACHMENTS}.`;
  if (files.some(({ id }) => id === null)) return 'Wait until all files are uploaded, or remove them.';
  return null;
}
