import { sql } from 'kysely';
import { ACCOUNTS, isPermitted } from '../../access/policy.ts';
import { newContext } from '../../platform/database/transaction.ts';
import type { Services } from '../../platform/services.ts';
import { systemAddress } from './system-address.ts';
import type { WeeklyReportContent } from './system-mail.ts';
import type { WrittenMail } from './written-mail.ts';

/** Addresses the weekly mail of reports, unless its reader has stopped it or may not see reports any more. */
export async function writeWeeklyReport(
  services: Services,
  workspaceId: number,
  { userId, content }: { userId: string; content: WeeklyReportContent },
): Promise<WrittenMail> {
  const { rows } = await sql<{ email: string; name: string; firm: string }>`
    select u.email, u.name, h.name as firm from ${sql.raw(ACCOUNTS)}
    where h.id = ${workspaceId} and u.id = ${userId} and m.gets_weekly_report
      and ${sql.raw(isPermitted('view_reports'))}`.execute(newContext(services).db);
  const [reader] = rows;
  if (!reader) return { reason: 'The account has stopped the mail, or may not see reports any more.' };
  const { unsubscribe_url, ...written } = content;
  return {
    message: {
      ...written,
      from: { name: reader.firm, address: systemAddress(services) },
      to: { name: reader.name, address: reader.email },
      headers: {
        'Auto-Submitted': 'auto-generated',
        // RFC 8058: programs of mail show a button that stops it.
        'List-Unsubscribe': `<${unsubscribe_url}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    },
    returnPath: '',
  };
}
