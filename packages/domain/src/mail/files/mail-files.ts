import {
  type LeftOutFiles,
  MAX_ATTACHMENT_BYTES,
  MAX_FILE_NAME_LENGTH,
  MAX_LEFT_OUT_NAMES,
  MAX_MAIL_ATTACHMENTS,
} from '@firmdesk/contract';
import { storableText } from '../../platform/database/storable-text.ts';
import type { MimeFile } from '../mime/read-message.ts';
import { oneLine } from '../parsing/one-line.ts';

/** A file of a received message, before it is stored. */
export interface MailFile {
  name: string;
  content: Uint8Array;
  /** `Content-ID` (RFC 2045 §7), without angle brackets. */
  contentId: string | null;
  /** Which of the message's `calendarParts` it is. A part that changes a calendar is not shown as a file. */
  calendarPart: number | null;
}

/** An iCalendar part that was sent to the reader of the message (RFC 6047). */
export interface CalendarPart {
  text: string;
  /** The parameter `method` of its Content-Type (RFC 6047 §2.4), in upper case. */
  method: string | null;
}

const MAX_CALENDARS = 5;
/** In bytes. A larger part is only a file. */
const MAX_CALENDAR = 1_048_576;
const MAX_CONTENT_ID = 250;

/** The names of files without one, by type. Other types are the end of the name. */
const NAMES: Record<string, string> = {
  'message/rfc822': 'Message.eml',
  'text/calendar': 'Calendar.ics',
  'application/ics': 'Calendar.ics',
  'text/plain': 'File.txt',
};

/**
 * Returns the files of a message, which ones are not stored, and which ones are calendar parts. A message can contain the same invitation
 * twice: as an alternative of the text and as an attachment. Of several copies of a calendar part, one is a file.
 */
export function toMailFiles(parts: readonly MimeFile[]): {
  files: MailFile[];
  leftOut: LeftOutFiles[];
  calendarParts: CalendarPart[];
} {
  const files: MailFile[] = [];
  const leftOut = new Map<LeftOutFiles['reason'], LeftOutFiles>();
  const calendarParts: CalendarPart[] = [];
  for (const part of parts) {
    const { content } = part;
    const name = nameOf(part);
    const calendarPart = addCalendarPart(calendarParts, part);
    const copy = calendarPart === null ? undefined : files.find((file) => file.calendarPart === calendarPart);
    if (copy) {
      if (part.name !== null) copy.name = name;
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
  return { files, leftOut: [...leftOut.values()], calendarParts };
}

/** Adds an iCalendar part, unless it is a copy of one. Returns its index, or null if it is none. */
function addCalendarPart(parts: CalendarPart[], { calendar, content }: MimeFile): number | null {
  if (calendar === null || content.length === 0 || content.length > MAX_CALENDAR) return null;
  const text = storableText(calendar.text);
  const found = parts.findIndex((part) => part.text.trim() === text.trim());
  if (found >= 0) {
    parts[found]!.method ??= calendar.method;
    return found;
  }
  return parts.length < MAX_CALENDARS ? parts.push({ text, method: calendar.method }) - 1 : null;
}

function reasonToLeaveOut({ length }: Uint8Array, stored: number): LeftOutFiles['reason'] | null {
  if (length === 0) return 'empty';
  if (length > MAX_ATTACHMENT_BYTES) return 'too_large';
  return stored >= MAX_MAIL_ATTACHMENTS ? 'too_many' : null;
}

/** Returns the last part of the name, which can be a path. Most parts without a name are messages or images. */
function nameOf({ name, type }: MimeFile): string {
  const shown = oneLine(name?.split(/[/\\]/).at(-1), MAX_FILE_NAME_LENGTH);
  if (shown !== '') return shown;
  const known = NAMES[type];
  if (known !== undefined) return known;
  const subtype = /^[\w-]+\/([a-z]{1,10})$/.exec(type)?.[1];
  return subtype === undefined ? 'File' : `File.${subtype}`;
}

function contentIdOf({ contentId }: MimeFile): string | null {
  const id = oneLine(contentId?.trim().replace(/^</, '').replace(/>$/, ''), MAX_CONTENT_ID + 1);
  return id === '' || id.length > MAX_CONTENT_ID ? null : id;
}
