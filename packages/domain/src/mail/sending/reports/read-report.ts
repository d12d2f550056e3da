import { headerOf, type MimePart } from '../../mime/split-message.ts';
import { oneLine } from '../../parsing/one-line.ts';

/** What a message to the return path says about the one that was sent. */
export interface MailReport {
  /** `delayed`: it is still being tried. `complaint`: the recipient has called it spam. */
  kind: 'failed' | 'delayed' | 'complaint';
  /** The words of the server that could not deliver it. */
  reason: string;
}

const MAX_REASON = 500;
/** How deep a report is nested in a message, and how much of its text is read. */
const MAX_DEPTH = 5;
const MAX_TEXT = 32_768;
const SENDER = /^(mailer-daemon|postmaster|mail-daemon|mdaemon)@/i;
const SUBJECT =
  /undeliver|not delivered|delivery (has )?fail|failure notice|delivery status notification|returned mail|returned to sender|mail delivery|unzustellbar|non remis|no se pudo entregar/i;
const DELAY = /\b(delayed|warning|still being retried|will be retried|not yet been delivered)\b/i;
/** An answer of SMTP, or an enhanced status (RFC 3463). */
const STATUS = /\b(?:5\d\d[ -]|5\.\d{1,3}\.\d{1,3}\b)/;

/** Returns what a message reports: a notification of RFC 3464, a complaint of RFC 5965, or a bounce of another form. Null for any other message. */
export function readReport(
  root: MimePart,
  { from, subject }: { from: string; subject: string },
): MailReport | null {
  const feedback = findPart(root, 'message/feedback-report');
  if (feedback) {
    const [fields] = fieldsOf(feedback);
    const type = fields?.get('feedback-type') ?? 'abuse';
    return type === 'not-spam' ? null : { kind: 'complaint', reason: oneLine(type, MAX_REASON) };
  }
  const status =
    findPart(root, 'message/delivery-status') ?? findPart(root, 'message/global-delivery-status');
  return status ? reportOf(fieldsOf(status)) : readPlainBounce(root, from, subject);
}

function reportOf(groups: readonly ReadonlyMap<string, string>[]): MailReport | null {
  const found =
    groups.find((fields) => fields.get('action') === 'failed') ??
    groups.find((fields) => fields.get('action') === 'delayed');
  if (!found) return null;
  const words = (found.get('diagnostic-code') ?? '').replace(/^[\w-]{1,30}[ \t]{0,9};/, '');
  const reason =
    oneLine(words, MAX_REASON) || oneLine(found.get('status'), MAX_REASON) || 'no reason was given';
  return { kind: found.get('action') === 'failed' ? 'failed' : 'delayed', reason };
}

/** A bounce in the words of a server. Answers of people, and automatic ones such as of a vacation, are none. */
function readPlainBounce(root: MimePart, from: string, subject: string): MailReport | null {
  const auto = headerOf(root, 'auto-submitted')?.toLowerCase() ?? '';
  if (auto.startsWith('auto-replied') || !(SENDER.test(from) || SUBJECT.test(subject))) return null;
  const text = findText(root)?.content.subarray(0, MAX_TEXT).toString('utf8') ?? '';
  const line = text.split('\n').find((each) => STATUS.test(each));
  const kind = line === undefined && DELAY.test(`${subject} ${text}`) ? 'delayed' : 'failed';
  return { kind, reason: oneLine(line ?? subject, MAX_REASON) };
}

function findPart(part: MimePart, type: string, depth = 0): MimePart | null {
  if (part.type === type) return part;
  if (depth >= MAX_DEPTH) return null;
  for (const child of part.children) {
    const found = findPart(child, type, depth + 1);
    if (found) return found;
  }
  return null;
}

function findText(root: MimePart): MimePart | null {
  return findPart(root, 'text/plain') ?? findPart(root, 'text/html');
}

/** Returns the groups of fields of a report, names and short values in lower case as they are compared. */
function fieldsOf({ content }: MimePart): Map<string, string>[] {
  const text = content
    .subarray(0, MAX_TEXT)
    .toString('utf8')
    .replaceAll('\r\n', '\n')
    .replace(/\n[ \t]/g, ' ');
  return text.split('\n\n').map((group) => {
    const fields = new Map<string, string>();
    for (const line of group.split('\n')) {
      const colon = line.indexOf(':');
      if (colon <= 0) continue;
      const name = line.slice(0, colon).trim().toLowerCase();
      const value = line.slice(colon + 1).trim();
      fields.set(name, /^(action|feedback-type)$/.test(name) ? value.toLowerCase() : value);
    }
    return fields;
  });
}
