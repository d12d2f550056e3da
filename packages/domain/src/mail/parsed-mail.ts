import { createHash } from 'node:crypto';
import { type LeftOutFiles, MAX_RECIPIENTS, MAX_SUBJECT, type MailRecipient } from '@firmdesk/contract';
import type { Address, Attachment, Email } from 'postal-mime';
import { storableText } from '../platform/storable-text.ts';
import { calendarTextOf, isCalendarPart, type MailFile, toMailFiles } from './mail-files.ts';
import { oneLine } from './one-line.ts';
import { snippetOf } from './snippet.ts';

/** A parsed message as it is stored. Every text can be stored in PostgreSQL; every list and length is bounded. */
export interface ParsedMail {
  from: MailRecipient;
  /** The address of the `Sender` header, which sent the message for its author; null without one. */
  sender: string | null;
  to: MailRecipient[];
  cc: MailRecipient[];
  bcc: MailRecipient[];
  subject: string;
  /** The message's HTML, or HTML made from its plain text. */
  body: string;
  snippet: string;
  /** The `Date` header as ISO 8601; null if it is missing or invalid. */
  date: string | null;
  /** RFC 5322 §3.6.4, without angle brackets. A message without a well-formed one gets the hash of its bytes. */
  messageId: string;
  /** The hash of what it shows and contains. Copies that came on different ways, with other trace headers, have the same. */
  contentDigest: string;
  inReplyTo: string | null;
  /** The messages to which it replies, the nearest last, including `inReplyTo`. */
  references: string[];
  /** Its distinct `text/calendar` parts (RFC 6047), without those of enclosed messages. */
  calendarParts: CalendarPart[];
  /** Its files, with the calendar parts. */
  files: MailFile[];
  leftOut: LeftOutFiles[];
}

export interface CalendarPart {
  text: string;
  /** The parameter `method` of its Content-Type (RFC 6047 §2.4), in upper case. */
  method: string | null;
}

/** The thread's result: the message, or the reason why it is rejected. */
export type ParseResult = { mail: ParsedMail } | { rejected: string };

const MAX_BODY = 10 * 1024 * 1024;
const MAX_EMAIL = 254;
const MAX_NAME = 200;
const MAX_REFERENCES = 50;
const MAX_CALENDARS = 5;
/** In bytes: the size of an index entry is bounded. Longer ids are stored as their hash. */
const MAX_MESSAGE_ID = 250;

/**
 * Converts a message that postal-mime parsed. `raw` is its bytes, whose hash serves as the missing `Message-ID`. `ownParts` are its
 * attachments without those of enclosed messages: an invitation in one of these was for another reader, and is a file.
 */
export function toParsedMail(email: Email, raw: Uint8Array, ownParts: readonly Attachment[]): ParseResult {
  const html = email.html?.trim() ? email.html : htmlOf(email.text ?? '');
  if (html.length > MAX_BODY) return { rejected: `must not have a text of more than ${MAX_BODY} characters` };
  const body = storableText(html);
  const [messageId] = idsOf(email.messageId);
  const inReplyTo = idsOf(email.inReplyTo).at(-1) ?? null;
  const calendarParts = calendarPartsOf(ownParts);
  const content = {
    from: recipientsOf([email.from ?? email.sender]).at(0) ?? { email: '', name: null },
    subject: oneLine(email.subject, MAX_SUBJECT),
    body,
    date: dateOf(email.date),
    ...toMailFiles(
      email.attachments,
      calendarParts.map(({ text }) => text),
    ),
  };
  return {
    mail: {
      ...content,
      sender: recipientsOf([email.sender]).at(0)?.email || null,
      to: recipientsOf(email.to),
      cc: recipientsOf(email.cc),
      bcc: recipientsOf(email.bcc),
      snippet: snippetOf(body),
      messageId: messageId ?? hashOf(raw),
      contentDigest: digestOf(content),
      inReplyTo,
      calendarParts,
      references: limitReferences([...idsOf(email.references), ...(inReplyTo === null ? [] : [inReplyTo])]),
    },
  };
}

/** Returns the distinct iCalendar parts. A message can contain the same invitation twice: as an alternative of the text and as an attachment. */
function calendarPartsOf(parts: readonly Attachment[]): CalendarPart[] {
  const byText = new Map<string, CalendarPart>();
  for (const part of parts.filter(isCalendarPart)) {
    const text = calendarTextOf(part);
    const method = byText.get(text)?.method ?? part.method ?? null;
    byText.set(text, { text, method });
  }
  return [...byText.values()].slice(0, MAX_CALENDARS);
}

/** Returns the recipients of a header. Replaces each group by its members (RFC 5322 §3.4). */
function recipientsOf(addresses: readonly (Address | undefined)[] = []): MailRecipient[] {
  return addresses
    .flatMap((address) => address?.group ?? address ?? [])
    .filter(({ address, name }) => address || name)
    .slice(0, MAX_RECIPIENTS)
    .map(({ address, name }) => ({
      email: oneLine(address, MAX_EMAIL),
      name: oneLine(name, MAX_NAME) || null,
    }));
}

/**
 * Returns the well-formed message ids of a header, without angle brackets (RFC 5322 §3.6.4). Others identify nothing: senders write `<>`,
 * the same words in each message, or white space. Replaces an id that is too long by its hash.
 */
function idsOf(header = ''): string[] {
  const ids = [...header.matchAll(/<([^<>\s]+)>/g)].map(([, id]) => storableText(id!));
  return ids
    .filter((id) => /[^@]@/.test(id) && !id.endsWith('@'))
    .map((id) => (Buffer.byteLength(id) > MAX_MESSAGE_ID ? hashOf(Buffer.from(id)) : id));
}

/** Keeps the first reference, which started the conversation, and the last ones, which are the nearest. */
function limitReferences(references: string[]): string[] {
  const unique = [...new Set(references)];
  return unique.length <= MAX_REFERENCES
    ? unique
    : [unique[0]!, ...unique.slice(unique.length - MAX_REFERENCES + 1)];
}

function dateOf(date: string | undefined): string | null {
  const at = date === undefined ? Number.NaN : Date.parse(date);
  return at >= 0 && at < Date.parse('9999-12-31') ? new Date(at).toISOString() : null;
}

function htmlOf(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.trim() ? `<div style="white-space: pre-wrap">${escaped.trimEnd()}</div>` : '';
}

/**
 * Returns the hash of the sender, the time, the subject, the text and the files of a message: what stays the same when it is delivered
 * again, also on another way, or when a server encodes it anew.
 */
function digestOf({
  from,
  date,
  subject,
  body,
  files,
  leftOut,
}: Pick<ParsedMail, 'from' | 'date' | 'subject' | 'body' | 'files' | 'leftOut'>): string {
  const hashes = files.map(({ name, content }) => [name, hashOf(content)]);
  const text = body.replace(/\s+/g, ' ').trim();
  return hashOf(Buffer.from(JSON.stringify([from.email, date, subject, text, hashes, leftOut])));
}

function hashOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
