import { sql } from 'kysely';
import { newContext } from '../../../platform/database/transaction.ts';
import type { Services } from '../../../platform/services.ts';
import { localeOf } from '../../../push/index.ts';
import { shortMail } from '../html.ts';
import { systemAddress } from '../system-address.ts';
import type { WrittenMail } from '../written-mail.ts';
import { type SecurityChange, securityWordsFor } from './words.ts';

/** What a security notice says: no secret, no address of a person. */
export interface SecurityNotice {
  change: SecurityChange;
  /** When it happened (ISO 8601). */
  at: string;
  /** The network from which it was made; null for a change by an operator. */
  network: string | null;
}

interface Reader {
  language: string;
  timezone: string;
}

/** Returns the title and the body of a notice in the notification centre. */
export function securityNoticeText(reader: Reader, notice: SecurityNotice): { title: string; body: string } {
  const { changes, advice } = securityWordsFor(reader.language);
  const facts = linesOf(reader, notice).map(({ label, value }) => `${label}: ${value}`);
  return { title: changes[notice.change], body: `${facts.join('. ')}. ${advice}` };
}

/** Writes the mail of a security notice. Its words are not the firm's to choose. */
export async function writeSecurityNotice(
  services: Services,
  workspaceId: number,
  { userId, content }: { userId: string; content: SecurityNotice },
): Promise<WrittenMail> {
  const { db } = newContext(services);
  const { rows } = await sql<Reader & { email: string; name: string; firm: string }>`
    select u.email, u.name, u.language, u.timezone, w.name as firm from users u, workspaces w
    where u.id = ${userId} and u.deleted_at is null and w.id = ${workspaceId}`.execute(db);
  const [user] = rows;
  if (!user) return { reason: 'The account has ended.' };
  const { changes, advice, why } = securityWordsFor(user.language);
  const subject = changes[content.change];
  return {
    message: {
      from: { name: user.firm, address: systemAddress(services) },
      to: { name: user.name, address: user.email },
      headers: { 'Auto-Submitted': 'auto-generated' },
      subject,
      ...shortMail({ heading: subject, lines: linesOf(user, content), body: advice, note: why(user.email) }),
    },
    returnPath: '',
  };
}

function linesOf({ language, timezone }: Reader, { at, network }: SecurityNotice) {
  const { when, from, operator } = securityWordsFor(language);
  const time = new Intl.DateTimeFormat(localeOf(language), {
    timeZone: timezone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(at));
  return [
    { label: when, value: time },
    { label: from, value: network ?? operator },
  ];
}
