import { headerOf, type MimePart } from '../mime/split-message.ts';

/** Who writes for a program, by the local part of the address without its tag. */
const PROGRAMS =
  /^(?:mailer-daemon|postmaster|daemon|bounces?|no-?reply|do-?not-?reply|listserv|majordomo)$/i;
const OWNERS = /^owner-|-(?:owner|request|bounces?)$/i;

/** Headers that only lists have (RFC 2369, RFC 2919). */
const OF_LISTS = ['list-id', 'list-post', 'list-unsubscribe', 'list-help', 'list-subscribe', 'mailing-list'];

/** Returns whether a program or a list has sent a message, so that no program answers it (RFC 3834 §2). */
export function isAutomatic(root: MimePart, from: string): boolean {
  const header = (name: string) => headerOf(root, name)?.trim().toLowerCase() ?? '';
  const [name] = from.slice(0, Math.max(0, from.lastIndexOf('@'))).split(/[+=]/, 1) as [string];
  return (
    from === '' ||
    isAutoSubmitted(root) ||
    /^(?:bulk|list|junk|auto_reply)\b/.test(header('precedence')) ||
    header('x-autoreply') !== '' ||
    header('x-autorespond') !== '' ||
    header('return-path') === '<>' ||
    header('content-type').startsWith('multipart/report') ||
    OF_LISTS.some((name) => header(name) !== '') ||
    PROGRAMS.test(name) ||
    OWNERS.test(name)
  );
}

/** Returns whether a message says that no person has sent it (RFC 3834 §5). */
export function isAutoSubmitted(root: MimePart): boolean {
  const value = headerOf(root, 'auto-submitted')?.trim().toLowerCase() ?? '';
  return value !== '' && !/^no\b/.test(value);
}

/** Returns whether a message asks for no automatic answer (MS-OXCMAIL 2.2.3.2.14), as people's programs do too. */
export function suppressesAnswers(root: MimePart): boolean {
  return /\b(?:all|oof|autoreply)\b/i.test(headerOf(root, 'x-auto-response-suppress') ?? '');
}
