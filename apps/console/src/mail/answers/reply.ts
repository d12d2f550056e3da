import { MAX_SUBJECT, type MailRecipient, type OpenMailMessage } from '@firmdesk/contract';

export type AnswerKind = 'reply' | 'replyAll' | 'forward';

type Answered = Pick<
  OpenMailMessage,
  'id' | 'from' | 'reply_to' | 'subject' | 'to_recipients' | 'cc_recipients' | 'message_at'
>;

/** What mail programs of several languages write before the subject of an answer or of a forwarded message. */
const REPLY_PREFIX = /^(?:re|aw|antw|sv|vs|rif|odp)(?:\[\d{1,3}\])? ?[:：] */i;
const FORWARD_PREFIX = /^(?:fwd|fw|wg|tr|vb|doorst)(?:\[\d{1,3}\])? ?[:：] */i;

/** The longest text that is quoted: the editor takes a longer one for formatted, and shows it read-only. */
const MAX_QUOTED = 50_000;
const MAX_QUOTED_LINES = 2_000;
const LEFT_OUT = '[The rest is left out.]';

/**
 * Returns the addresses of an answer from a mailbox, whose own address is left out: to the sender, or to whom the sender names for answers. A message of
 * the mailbox itself is continued.
 */
export function answerRecipients(
  {
    from,
    reply_to,
    to_recipients,
    cc_recipients,
  }: Pick<Answered, 'from' | 'reply_to' | 'to_recipients' | 'cc_recipients'>,
  kind: AnswerKind,
  own: string,
): { to: string[]; cc: string[] } {
  if (kind === 'forward') return { to: [], cc: [] };
  const seen = new Set([own.toLowerCase()]);
  const take = (recipients: readonly MailRecipient[]) =>
    recipients.flatMap(({ email }) => {
      const key = email.toLowerCase();
      if (key === '' || seen.has(key)) return [];
      seen.add(key);
      return email;
    });
  const isOwn = from.email.toLowerCase() === own.toLowerCase();
  const to = take(isOwn ? to_recipients : reply_to.length > 0 ? reply_to : [from]);
  const others = isOwn ? [] : to_recipients;
  const cc = kind === 'replyAll' ? take([...others, ...cc_recipients]) : [];
  // Whoever writes to themselves answers themselves.
  return { to: to.length + cc.length === 0 && from.email ? [from.email] : to, cc };
}

/** Returns the subject of an answer: with one prefix, whatever was before it. */
export function answerSubject(subject: string, kind: AnswerKind): string {
  const [prefix, name] = kind === 'forward' ? [FORWARD_PREFIX, 'Fwd:'] : [REPLY_PREFIX, 'Re:'];
  let rest = subject.trim();
  while (prefix.test(rest)) rest = rest.replace(prefix, '');
  return `${name} ${rest}`.trim().slice(0, MAX_SUBJECT);
}

/**
 * Returns the text of an answer: an empty line to write on, and below it the quoted or forwarded message.
 *
 * @param text the message's text
 * @param at when it was written, for people
 */
export function answerText(
  message: Answered,
  kind: AnswerKind,
  { text, at }: { text: string; at: string },
): string {
  const quoted = shortened(text);
  if (kind !== 'forward') {
    const lines = quoted
      .split('\n')
      .map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`.trimEnd()));
    return ['', '', `On ${at}, ${person(message.from)} wrote:`, ...lines].join('\n');
  }
  const { from, subject, to_recipients, cc_recipients } = message;
  const copies = cc_recipients.length > 0 ? [`Cc: ${cc_recipients.map(person).join(', ')}`] : [];
  return [
    '',
    '',
    '---------- Forwarded message ----------',
    `From: ${person(from)}`,
    `Date: ${at}`,
    `Subject: ${subject}`,
    `To: ${to_recipients.map(person).join(', ')}`,
    ...copies,
    '',
    quoted,
  ].join('\n');
}

function shortened(text: string): string {
  const lines = text.slice(0, MAX_QUOTED).split('\n');
  const isWhole = text.length <= MAX_QUOTED && lines.length <= MAX_QUOTED_LINES;
  return isWhole ? text : [...lines.slice(0, MAX_QUOTED_LINES), LEFT_OUT].join('\n');
}

function person({ name, email }: MailRecipient): string {
  return name ? `${name} <${email}>` : email;
}
