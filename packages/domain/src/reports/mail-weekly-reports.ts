import type { Report, ReportFigures } from '@firmdesk/contract';
import { utcToLocal } from '@firmdesk/recurrence';
import { sql } from 'kysely';
import { z } from 'zod';
import { ACCOUNTS, isPermitted } from '../access/policy.ts';
import { queueSystemMail } from '../mail/index.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { withTransaction } from '../platform/database/transaction.ts';
import { defineJob } from '../platform/jobs/jobs.ts';
import { isServed } from '../platform/jobs/suspended-firms.ts';
import { DAY_MS, MINUTE_MS } from '../platform/process/clock.ts';
import { startOfDay } from '../platform/search/start-of-day.ts';
import type { Services } from '../platform/services.ts';
import { renderTemplate } from '../templates/index.ts';
import { dayName, startOf } from './count-days.ts';
import { readReportSettings } from './count-firm.ts';
import { getReport } from './get-report.ts';
import { createUnsubscribeLink } from './unsubscribe-link.ts';

/** Mails the figures of the last week to the members of all firms who want them. */
export const mailWeeklyReportsJob = defineJob('reports.mail_weekly', z.object({}));

/** The local time on Monday from which the mail is sent. */
const MORNING_MS = 7 * 60 * MINUTE_MS;

/** Members who get the mail: who may see reports, of firms that have one. */
const READERS = `${ACCOUNTS}
  where h.sandbox_of is null and m.gets_weekly_report and ${isPermitted('view_reports')} and ${isServed('h.id')}`;

/** Handles {@link mailWeeklyReportsJob}. A firm that fails does not delay the others. */
export async function mailWeeklyReports(services: Services, signal?: AbortSignal): Promise<void> {
  const { rows } = await services.pool.query<{ id: number; slug: string }>(
    `select distinct h.id, h.slug from ${READERS}`,
  );
  const failures: unknown[] = [];
  for (const firm of rows) {
    if (signal?.aborted) return;
    try {
      await services.firmServers.run(firm.id, () => withTransaction(services, (ctx) => mailFirm(ctx, firm)));
    } catch (error) {
      failures.push(error);
      services.log.error({ workspace: firm.slug, err: error }, 'the weekly mail of a firm cannot be sent');
    }
  }
  if (failures.length > 0) throw failures[0];
}

interface Reader {
  id: string;
  name: string;
  language: string;
  firm: string;
}

/** Mails each reader once a week, on Monday, as soon as all of the week is counted. */
async function mailFirm(ctx: OperationContext, firm: { id: number; slug: string }): Promise<void> {
  const { timezone } = await readReportSettings(ctx, firm.id);
  const local = utcToLocal(ctx.now.getTime(), timezone);
  const today = startOf(local);
  if (new Date(today).getUTCDay() !== 1 || local - today < MORNING_MS) return;
  const monday = dayName(today);
  const { rows: readers } = await sql<Reader>`
    select u.id, u.name, u.language, h.name as firm from ${sql.raw(READERS)}
      and h.id = ${firm.id} and coalesce(m.weekly_report_on < ${monday}::date, true)
    order by u.id`.execute(ctx.db);
  if (readers.length === 0) return;
  const week = { from: dayName(today - 7 * DAY_MS), until: dayName(today - DAY_MS) };
  const report = await getReport({ ...ctx, workspace: firm }, week);
  if (
    report.counted_at === null ||
    Date.parse(report.counted_at) < Date.parse(startOfDay(monday, timezone)) ||
    isEmpty(report)
  )
    return;
  const sendUntil = new Date(ctx.now.getTime() + DAY_MS).toISOString();
  for (const reader of readers) {
    const claimed = await sql`
      update memberships set weekly_report_on = ${monday}::date
      where workspace_id = ${firm.id} and user_id = ${reader.id} and coalesce(weekly_report_on < ${monday}::date, true)
      returning user_id`.execute(ctx.db);
    // Another worker has mailed it.
    if (claimed.rows.length === 0) continue;
    const unsubscribeUrl = await createUnsubscribeLink(ctx.services, {
      workspaceId: firm.id,
      userId: reader.id,
    });
    const { subject, html, text } = await renderTemplate(ctx, 'weekly_report', firm, reader.language, {
      ...figuresOf(report),
      ...week,
      firm_name: reader.firm,
      name: reader.name,
      report_url: `${ctx.services.publicUrl()}/firms/${firm.slug}/reports?from=${week.from}&until=${week.until}`,
      unsubscribe_url: unsubscribeUrl,
    });
    await queueSystemMail(ctx, firm.id, {
      kind: 'weekly_report',
      userId: reader.id,
      about: `weekly report ${reader.id} ${monday}`,
      content: { subject, html, text, unsubscribe_url: unsubscribeUrl },
      sendUntil,
    });
  }
}

/** Returns whether nothing happened in the week and the one before. */
function isEmpty({ current, previous }: Report): boolean {
  return [current, previous].every(
    ({ created, ended, replies, assistant_answers, scores }) =>
      created + ended + replies + assistant_answers + sumOf(scores) === 0,
  );
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

/** Stands for a figure that nothing was counted for. */
const NONE = '–';

/** Returns figures as texts, each with the one of the week before in brackets. */
function figuresOf({ current, previous }: Report) {
  const both = (write: (figures: ReportFigures) => string) => `${write(current)} (${write(previous)})`;
  return {
    created: both(({ created }) => String(created)),
    resolved: both(({ ended }) => String(ended)),
    replies: both(({ replies }) => String(replies)),
    first_response: both(({ first_response }) => durationText(first_response.median)),
    resolution: both(({ resolution }) => durationText(resolution.median)),
    by_assistant: both(({ ended, ended_by_assistant }) =>
      ended === 0 ? NONE : `${Math.round((100 * ended_by_assistant) / ended)} %`,
    ),
    satisfaction: both(({ scores }) => {
      const total = scores.reduce((sum, count, i) => sum + count * (i + 1), 0);
      return total === 0 ? NONE : (total / sumOf(scores)).toFixed(1);
    }),
  };
}

/** Returns minutes as `45 min`, `3 h 20 min` or `2 d 4 h`, which most languages abbreviate so. */
function durationText(minutes: number | null): string {
  if (minutes === null) return NONE;
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24];
  const parts =
    days > 0
      ? [[days, 'd'] as const, [hours, 'h'] as const]
      : [[hours, 'h'] as const, [minutes % 60, 'min'] as const];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
