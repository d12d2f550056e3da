import {
  type LeftOutFiles,
  MAX_ATTACHMENT_BYTES,
  MAX_FILE_NAME_LENGTH,
  MAX_LEFT_OUT_NAMES,
  MAX_MAIL_ATTACHMENTS,
} from '@firmdesk/contract';
import type { Attachment } from 'postal-mime';
import { storableText } from '../platform/storable-text.ts';
import { oneLine } from './one-line.ts';

/** A file of a received message, before it is stored. */
export interface MailFile {
  name: string;
  content: Uint8Array;
  /** `Content-ID` (RFC 2045 §7), without angle brackets. */
  contentId: string | null;
  /** Which of the message's `calendarParts` it is. A part that changes a calendar is not shown as a file. */
  calendarPart: number | null;
}

const CALENDAR_TYPE = /^(text\/calendar|application\/ics)$/i;
/** In bytes. A larger part is a file. */
const MAX_CALENDAR = 1_048_576;
const MAX_CONTENT_ID = 250;

/** Returns whether a part can be an invitation, which the calendar shows. */
export function isCalendarPart({ mimeType, content }: Attachment): boolean {
  return CALENDAR_TYPE.test(mimeType) && bytesOf(content).length <= MAX_CALENDAR;
}

/** Returns the text of an invitation in the form that can be stored. */
export function calendarTextOf({ content }: Attachment): string {
  return storableText(typeof content === 'string' ? content : new TextDecoder().decode(content));
}

/** Returns the files of a message, and which ones are not stored. Of several copies of a calendar part, one is a file. */
export function toMailFiles(
  parts: readonly Attachment[] = [],
  calendarParts: readonly string[] = [],
): { files: MailFile[]; leftOut: LeftOutFiles[] } {
  const files: MailFile[] = [];
  const leftOut = new Map<LeftOutFiles['reason'], LeftOutFiles>();
  for (const part of parts) {
    const content = bytesOf(part.content);
    const name = nameOf(part);
    const index = isCalendarPart(part) ? calendarParts.indexOf(calendarTextOf(part)) : -1;
    const calendarPart = index >= 0 ? index : null;
    const copy = calendarPart === null ? undefined : files.find((file) => file.calendarPart === calendarPart);
    if (copy) {
      if (part.filename) copy.name = name;
      continue;
    }
    const reason = reasonToLeaveOut(content, files.length);
    if (reason === null) {
      files.push({ name, content, contentId: contentIdOf(part), calendarPart });
      continue;
    }
    const left = leftOut.get(reason) ?? { reason, count: 0, names: [] };
    left.count++;
    if (left.names.length < MAX_LEFT_OUT_NAMES) left.names.push(name);
    leftOut.set(reason, left);
  }
  return { files, leftOut: [...leftOut.values()] };
}

function reasonToLeaveOut({ length }: Uint8Array, stored: number): LeftOutFiles['reason'] | null {
  if (length === 0) return 'empty';
  if (length > MAX_ATTACHMENT_BYTES) return 'too_large';
  return stored >= MAX_MAIL_ATTACHMENTS ? 'too_many' : null;
}

function bytesOf(content: Attachment['content']): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
}

/** Returns the last part of the name, which can be a path. Most parts without a name are messages or images. */
function nameOf({ filename, mimeType }: Attachment): string {
  const name = oneLine(filename?.split(/[/\\]/).at(-1), MAX_FILE_NAME_LENGTH);
  if (name !== '') return name;
  const type = /^[\w-]+\/([a-z]{1,10})$/.exec(mimeType)?.[1];
  if (mimeType === 'message/rfc822') return 'Message.eml';
  if (CALENDAR_TYPE.test(mimeType)) return 'Calendar.ics';
  return type === undefined ? 'File' : `File.${type}`;
}

function contentIdOf({ contentId }: Attachment): string | null {
  const id = oneLine(contentId?.replaceAll(/^\s*<|>\s*$/g, ''), MAX_CONTENT_ID + 1);
  return id === '' || id.length > MAX_CONTENT_ID ? null : id;
}
