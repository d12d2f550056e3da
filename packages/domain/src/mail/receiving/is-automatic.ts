import { headerOf, type MimePart } from '../mime/split-message.ts';

/** The senders of mail about mail. */
const MACHINES = /^(mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?)([+@-]|$)/i;

/**
 * Returns whether a machine has written a message (RFC 3834 §2, RFC 2919, RFC 3464): an answer to it could start a loop, and would reach nobody.
 *
 * @param from the address of the sender
 */
export function isAutomatic(root: MimePart, from: string): boolean {
  const submitted = headerOf(root, 'auto-submitted')?.trim().toLowerCase() ?? 'no';
  if (submitted !== '' && !/^no\b/.test(submitted)) return true;
  if (/^\s*(bulk|junk|list|auto_reply)\b/i.test(headerOf(root, 'precedence') ?? '')) return true;
  if (/^\s*<\s*>/.test(headerOf(root, 'return-path') ?? '')) return true;
  const marks = ['list-id', 'list-unsubscribe', 'x-autoreply', 'x-autorespond', 'x-auto-response-suppress'];
  if (marks.some((name) => headerOf(root, name) !== null)) return true;
  if (/^\s*multipart\/report\b/i.test(headerOf(root, 'content-type') ?? '')) return true;
  return from === '' || MACHINES.test(from);
}
