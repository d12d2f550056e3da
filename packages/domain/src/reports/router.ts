import { Report, ReportInput, SetWeeklyReportInput, WeeklyReportSettings } from '@firmdesk/contract';
import { adminProcedure, NoInput, router } from '../procedures/trpc.ts';
import { getReport } from './get-report.ts';
import { getWeeklyReport, setWeeklyReport } from './weekly-subscription.ts';

const shared = { tag: 'Reports', permissions: ['view_reports'] } as const;

export const reportsRouter = router({
  get: adminProcedure({
    ...shared,
    scope: 'admin:read',
    summary: 'Count the firm’s tickets, answers and durations in a period',
    input: ReportInput,
    output: Report,
  }).query(({ ctx, input }) => getReport(ctx, input)),

  weeklyMail: adminProcedure({
    ...shared,
    scope: 'admin:read',
    summary: 'Read whether the caller gets the weekly mail of reports',
    input: NoInput,
    output: WeeklyReportSettings,
  }).query(({ ctx }) => getWeeklyReport(ctx)),

  setWeeklyMail: adminProcedure({
    ...shared,
    scope: 'admin:write',
    summary: 'Start or stop the weekly mail of reports to the caller',
    errors: ['resource_not_found'],
    input: SetWeeklyReportInput,
    output: WeeklyReportSettings,
  }).mutation(({ ctx, input }) => setWeeklyReport(ctx, input)),
});
