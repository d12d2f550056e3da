import type { SeedRecordInput } from '../../schema.ts';
import { personOf } from '../people.ts';

export type Mailbox = SeedRecordInput<'mailboxes'> & { firm: string };
type Message = SeedRecordInput<'messages'>;
type Correspondent = Message['from'];

/** A mail without its mailbox and conversation. */
export type Mail = Omit<Message, 'key' | 'mailbox' | 'thread' | 'subject'>;

/**
 * Returns the messages of a conversation. The first has the subject, the others are replies to it. The key of a message is
 * the conversation's name and its position: `payouts-wire-recall-2`.
 */
export function conversation(mailbox: Mailbox, thread: string, subject: string, ...mails: Mail[]): Message[] {
  return mails.map((mail, index) => ({
    key: `${mailbox.key}-${thread}-${index + 1}`,
    mailbox: mailbox.key,
    thread,
    subject: index === 0 ? subject : `Re: ${subject}`,
    ...mail,
  }));
}

/** Returns functions that create received, sent and draft messages of a mailbox. `age` is an ISO 8601 duration before now. */
export function correspondence(mailbox: Mailbox) {
  const self = { email: mailbox.email, name: mailbox.name };
  return {
    got: (age: string, from: string, text: string, about: Partial<Mail> = {}): Mail => ({
      folder: 'inbox',
      from: correspondent(from),
      to: [self],
      body: htmlOf(text),
      read: true,
      message_at: `now-${age}`,
      ...about,
    }),
    sent: (age: string, to: string, text: string, about: Partial<Mail> = {}): Mail => ({
      folder: 'sent',
      from: self,
      to: [correspondent(to)],
      body: htmlOf(text),
      read: true,
      message_at: `now-${age}`,
      ...about,
    }),
    draft: (age: string, to: string | undefined, text: string): Mail => ({
      folder: 'drafts',
      from: self,
      to: to === undefined ? [] : [correspondent(to)],
      body: htmlOf(text),
      read: true,
      message_at: `now-${age}`,
    }),
  };
}

export const unread = { read: false } satisfies Partial<Mail>;
export const archived = { folder: 'archive' } satisfies Partial<Mail>;
/** Spam that was recognized at delivery and has no previous folder. */
export const spam = { folder: 'spam', read: false } satisfies Partial<Mail>;
export const trashedFrom = (previous_folder: Mail['folder']) =>
  ({ folder: 'trash', previous_folder }) satisfies Partial<Mail>;

/** Resolves a user's key, or an external person written `Name <address>`. */
export function correspondent(text: string): Correspondent {
  const outside = /^(.*) <(.+)>$/.exec(text);
  return outside?.[1] && outside[2] ? { name: outside[1], email: outside[2] } : personOf(text);
}

/** Converts plain text with blank lines between paragraphs to HTML. */
export function htmlOf(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped
    .split('\n\n')
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>')}</p>`)
    .join('');
}
