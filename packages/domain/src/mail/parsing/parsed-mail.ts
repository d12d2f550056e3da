import { createHash } from 'node:crypto';
import { type LeftOutFiles, MAX_RECIPIENTS, MAX_SUBJECT, type MailRecipient } from '@firmdesk/contract';
import { storableText } from '../../platform/database/storable-text.ts';
import { type CalendarPart, type MailFile, toMailFiles } from '../files/mail-files.ts';
import { readAddresses } from '../mime/addresses.ts';
import { decodeWords } from '../mime/encoded-words.ts';
import { readDate } from '../mime/header-date.ts';
import type { ReadMessage } from '../mime/read-message.ts';
import { headerOf, type MimePart } from '../mime/split-message.ts';
import { mailSearchText } from '../search/mail-search-text.ts';
import { type MailReport, readReport } from '../sending/reports/read-report.ts';
import { isAutomatic, isAutoSubmitted, suppressesAnswers } from './is-automatic.ts';
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
  /** To whom answers go; empty if to the sender. */
  replyTo: MailRecipient[];
  subject: string;
  /** The message's HTML, or HTML made from its plain text. */
  body: string;
  snippet: string;
  /** What a search of mail reads. */
  searchText: string;
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
  /** Whether a program or a list has sent it: no program answers it. */
  isAutomatic: boolean;
  /** Whether it says so itself: no rule forwards it. */
  isAutoSubmitted: boolean;
  suppressesAnswers: boolean;
  /** What it says about a message that was sent, if it is a report; only of use where such reports are addressed. */
  report: MailReport | null;
}

/** The thread's result: the message, or the reason why it is rejected. */
export type ParseResult = { mail: ParsedMail } | { rejected: string };

const MAX_BODY = 10 * 1024 * 1024;
const MAX_REFERENCES = 50;
/** In bytes: the size of an index entry is bounded. Longer ids are stored as their hash. */
const MAX_MESSAGE_ID = 250;

/** Converts a message that was read. `raw` is its bytes, whose hash serves as the missing `Message-ID`. */
export function toParsedMail({ root, html, files }: ReadMessage, raw: Uint8Array): ParseResult {
  if (html.length > MAX_BODY) return { rejected: `must not have a text of more than ${MAX_BODY} characters` };
  const body = storableText(html);
  const [messageId] = idsOf(headerOf(root, 'message-id'));
  const inReplyTo = idsOf(headerOf(root, 'in-reply-to')).at(-1) ?? null;
  const references = idsOf(headerOf(root, 'references'));
  const senders = recipientsOf(root, 'sender');
  const { calendarParts, ...content } = {
    from: authorOf([...recipientsOf(root, 'from'), ...senders]),
    subject: oneLine(decodeWords(headerOf(root, 'subject') ?? ''), MAX_SUBJECT),
    body,
    date: readDate(headerOf(root, 'date') ?? ''),
    ...toMailFiles(files),
  };
  const [to, cc, bcc] = [recipientsOf(root, 'to'), recipientsOf(root, 'cc'), recipientsOf(root, 'bcc')];
  return {
    mail: {
      ...content,
      sender: senders.find(({ email }) => email !== '')?.email ?? null,
      to,
      cc,
      bcc,
      replyTo: recipientsOf(root, 'reply-to').filter(({ email }) => email !== ''),
      snippet: snippetOf(body),
      searchText: mailSearchText({
        ...content,
        recipients: [...to, ...cc, ...bcc],
        files: content.files.map(({ name }) => name),
      }),
      messageId: messageId ?? hashOf(raw),
      contentDigest: digestOf(content),
      inReplyTo,
      calendarParts,
      isAutomatic: isAutomatic(root, content.from.email),
      isAutoSubmitted: isAutoSubmitted(root),
      suppressesAnswers: suppressesAnswers(root),
      report: readReport(root, { from: content.from.email, subject: content.subject }),
      references: limitReferences([...references, ...(inReplyTo === null ? [] : [inReplyTo])]),
    },
  };
}

function recipientsOf({ headers }: MimePart, name: string): MailRecipient[] {
  return headers
    .filter(({ key }) => key === name)
    .flatMap(({ value }) => readAddresses(value))
    .slice(0, MAX_RECIPIENTS);
}

/** Returns the first of several authors that has an address. */
function authorOf(authors: readonly MailRecipient[]): MailRecipient {
  return authors.find(({ email }) => email !== '') ?? authors.at(0) ?? { email: '', name: null };
}

/**
 * Returns the well-formed message ids of a header, without angle brackets (RFC 5322 §3.6.4). Others identify nothing: senders write `<>`,
 * the same words in each message, or white space. Replaces an id that is too long by its hash.
 */
function idsOf(header: string | null): string[] {
  const ids = [...(header ?? '').matchAll(/<([^<>\s]+)>/g)].map(([, id]) => storableText(id!));
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
