import { createHash } from 'node:crypto';
import { MAX_RECIPIENTS, MAX_SUBJECT, type MailRecipient } from '@firmdesk/contract';
import type { Address, Attachment, Email } from 'postal-mime';
import { snippetOf } from './snippet.ts';

/** What is kept of a message from the wire: every text storable, every list and length bounded. */
export interface ParsedMail {
  from: MailRecipient;
  to: MailRecipient[];
  cc: MailRecipient[];
  bcc: MailRecipient[];
  subject: string;
  /** HTML as it came, or made of the plain text. */
  body: string;
  snippet: string;
  /** ISO 8601, as the sender claims; null for none or nonsense. */
  date: string | null;
  /** RFC 5322 §3.6.4, without angle brackets. A message without one is known by its bytes. */
  messageId: string;
  inReplyTo: string | null;
  /** The messages that it answers, the nearest last; `inReplyTo` among them. */
  references: string[];
  /** Its `text/calendar` parts (RFC 6047), equal ones once. */
  calendars: string[];
}

/** What the reader's thread answers. */
export type ParseResult = { mail: ParsedMail } | { refused: string };

const MAX_BODY = 10 * 1024 * 1024;
const MAX_EMAIL = 254;
const MAX_NAME = 200;
const MAX_REFERENCES = 50;
/** Characters of one `text/calendar` part, and such parts of one message. */
const MAX_CALENDAR = 1_048_576;
const MAX_CALENDARS = 5;
/** Bytes that an id may have to be looked up as it is (an index entry is bounded). */
const MAX_MESSAGE_ID = 250;

export function toParsedMail(email: Email, raw: Uint8Array): ParseResult {
  const html = email.html?.trim() ? email.html : htmlOf(email.text ?? '');
  if (html.length > MAX_BODY) return { refused: `has a text of more than ${MAX_BODY} characters` };
  const body = storable(html);
  const [messageId] = idsOf(email.messageId);
  const inReplyTo = idsOf(email.inReplyTo).at(-1) ?? null;
  return {
    mail: {
      from: recipientsOf([email.from ?? email.sender]).at(0) ?? { email: '', name: null },
      to: recipientsOf(email.to),
      cc: recipientsOf(email.cc),
      bcc: recipientsOf(email.bcc),
      subject: oneLine(email.subject, MAX_SUBJECT),
      body,
      snippet: snippetOf(body),
      date: dateOf(email.date),
      messageId: messageId ?? hashed(raw),
      inReplyTo,
      calendars: calendarsOf(email.attachments),
      references: nearest([...idsOf(email.references), ...(inReplyTo === null ? [] : [inReplyTo])]),
    },
  };
}

/** An invitation comes as a part of the text, as an attachment, or as both. */
function calendarsOf(parts: readonly Attachment[] = []): string[] {
  const texts = parts
    .filter(({ mimeType }) => /^(text\/calendar|application\/ics)$/i.test(mimeType))
    .map(({ content }) => (typeof content === 'string' ? content : new TextDecoder().decode(content)))
    .filter((text) => text.length <= MAX_CALENDAR);
  return [...new Set(texts.map(storable))].slice(0, MAX_CALENDARS);
}

/** Groups are read as their members (RFC 5322 §3.4). */
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

function idsOf(header = ''): string[] {
  const bracketed = [...header.matchAll(/<([^<>\s]+)>/g)].map(([, id]) => id!);
  const ids = bracketed.length > 0 ? bracketed : header.split(/\s+/).filter(Boolean);
  return ids.map((id) => {
    const text = storable(id);
    return Buffer.byteLength(text) > MAX_MESSAGE_ID ? hashed(Buffer.from(text)) : text;
  });
}

/** The conversation's first message and those nearest to this one. */
function nearest(references: string[]): string[] {
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

function oneLine(text: string | undefined, limit: number): string {
  return storable(
    (text ?? '')
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, limit),
  );
}

/** PostgreSQL keeps neither U+0000 nor half a surrogate pair. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function hashed(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
