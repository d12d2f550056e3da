import { htmlOfPlainText } from '@firmdesk/contract';
import { sql } from 'kysely';
import { newContext } from '../../platform/database/transaction.ts';
import type { Services } from '../../platform/services.ts';
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
    firm: string;
    slug: string;
    asked_by: string | null;
  }>`
    select u.email, u.name, w.name as firm, w.slug, a.name as asked_by
    from users u join workspaces w on w.id = ${workspaceId} left join users a on a.id = ${content.asked_by}
    where u.id = ${userId} and u.deleted_at is null and u.deactivated_at is null`.execute(db);
  const [row] = rows;
  if (!row) return { reason: 'The account has ended.' };
  const { email, name, firm, slug, asked_by } = row;
  const who = asked_by ?? 'Somebody';
  const at = `${content.due_at.slice(0, 16).replace('T', ' ')} UTC`;
  const url = services.publicUrl();
  const text = content.is_cancelled
    ? `${who} has cancelled the deletion of ${firm}. Nothing was deleted.`
    : `${who} has asked to delete ${firm} with everything in it: on ${at}, for good.\n\nThe firm works as before until then. To keep it, cancel the deletion in the settings under “Data”${url === '' ? '' : `:\n${url}/firms/${slug}/settings/data`}`;
  return {
    message: {
      from: { name: firm, address: systemAddress(services) },
      to: { name, address: email },
      subject: content.is_cancelled ? `${firm} will not be deleted` : `${firm} will be deleted on ${at}`,
      text,
      html: htmlOfPlainText(text),
      headers: { 'Auto-Submitted': 'auto-generated' },
    },
    returnPath: '',
  };
}
