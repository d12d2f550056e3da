import type { WeeklyReportSettings } from '@firmdesk/contract';
import { sql } from 'kysely';
import { Membership } from '../access/accounts/user.entity.ts';
import { newContext, withTransaction } from '../platform/database/transaction.ts';
import { isServed } from '../platform/jobs/suspended-firms.ts';
import { ApiError } from '../platform/process/errors.ts';
import type { Services } from '../platform/services.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { openUnsubscribeLink } from './unsubscribe-link.ts';

/** Returns whether the caller gets the weekly mail of the firm. */
export async function getWeeklyReport({
  em,
  workspace,
  identity,
}: AccountContext): Promise<WeeklyReportSettings> {
  const member = await em.findOne(Membership, { workspaceId: workspace.id, userId: identity.user.id });
  return { object: 'weekly_report_settings', gets_mail: member?.getsWeeklyReport ?? null };
}

/** Starts or stops the weekly mail of the caller. Throws `resource_not_found` for who is no member of the firm: staff, and a session on test data. */
export async function setWeeklyReport(
  { em, workspace, identity }: AccountContext,
  { gets_mail }: { gets_mail: boolean },
): Promise<WeeklyReportSettings> {
  const member = await em.findOne(Membership, { workspaceId: workspace.id, userId: identity.user.id });
  if (!member)
    throw new ApiError('resource_not_found', { message: 'Only members of the firm get its weekly mail.' });
  member.getsWeeklyReport = gets_mail;
  return { object: 'weekly_report_settings', gets_mail };
}

/** What the page of a link shows. */
export interface UnsubscribePage {
  firm: string;
  /** Of the reader. */
  language: string;
}

/** Returns what the page of a link shows; null if the link is not signed, or its firm or its account is not there any more. */
export async function readUnsubscribePage(services: Services, link: string): Promise<UnsubscribePage | null> {
  const whose = await openUnsubscribeLink(services, link);
  if (!whose) return null;
  const { rows } = await sql<UnsubscribePage>`
    select w.name as firm, u.language from workspaces w
    join memberships m on m.workspace_id = w.id join users u on u.id = m.user_id and u.deleted_at is null
    where w.id = ${whose.workspaceId} and u.id = ${whose.userId} and ${sql.raw(isServed('w.id'))}`.execute(
    newContext(services).db,
  );
  return rows[0] ?? null;
}

/** Stops a weekly mail by its link. Returns what {@link readUnsubscribePage} does. */
export async function unsubscribeByLink(services: Services, link: string): Promise<UnsubscribePage | null> {
  const page = await readUnsubscribePage(services, link);
  const whose = await openUnsubscribeLink(services, link);
  if (!page || !whose) return null;
  await withTransaction(services, ({ db }) =>
    sql`
      update memberships set gets_weekly_report = false
      where workspace_id = ${whose.workspaceId} and user_id = ${whose.userId}`.execute(db),
  );
  return page;
}
