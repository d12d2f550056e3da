import { htmlOfPlainText } from '@firmdesk/contract';
import { sql } from 'kysely';
import { newContext } from '../../platform/database/transaction.ts';
import type { Services } from '../../platform/services.ts';
import { firmDeletionWordsFor } from './firm-deletion-words.ts';
import { systemAddress } from './system-address.ts';
import type { FirmDeletionContent } from './system-mail.ts';
import type { WrittenMail } from './written-mail.ts';

/** Writes the mail that a firm will be deleted, or that this was cancelled, to one of those who may cancel it. */
export async function writeFirmDeletion(
  services: Services,
  workspaceId: number,
  { userId, content }: { userId: string; content: FirmDeletionContent },
): Promise<WrittenMail> {
  const { db } = newContext(services);
  const { rows } = await sql<{
    email: string;
    name: string;
    language: string;
    firm: string;
    slug: string;
    asked_by: string | null;
  }>`
    select u.email, u.name, u.language, w.name as firm, w.slug, a.name as asked_by
    from users u join workspaces w on w.id = ${workspaceId} left join users a on a.id = ${content.asked_by}
    where u.id = ${userId} and u.deleted_at is null and u.deactivated_at is null`.execute(db);
  const [row] = rows;
  if (!row) return { reason: 'The account has ended.' };
  const { email, name, language, firm, slug, asked_by } = row;
  const words = firmDeletionWordsFor(language);
  const who = asked_by ?? words.somebody;
  const at = `${content.due_at.slice(0, 16).replace('T', ' ')} UTC`;
  const url = services.publicUrl();
  const written = content.is_cancelled ? words.cancelled({ firm, who }) : words.scheduled({ firm, who, at });
  const advice = `${words.advice}${url === '' ? '.' : `:\n${url}/firms/${slug}/settings/data`}`;
  const text = content.is_cancelled ? written.text : `${written.text}\n\n${advice}`;
  return {
    message: {
      from: { name: firm, address: systemAddress(services) },
      to: { name, address: email },
      subject: written.subject,
      text,
      html: htmlOfPlainText(text),
      headers: { 'Auto-Submitted': 'auto-generated' },
    },
    returnPath: '',
  };
}
