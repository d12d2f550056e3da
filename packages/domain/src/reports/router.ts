import { Report, ReportInput } from '@firmdesk/contract';
import { adminProcedure, router } from '../procedures/trpc.ts';
import { getReport } from './get-report.ts';

const shared = { tag: 'Reports', permissions: ['view_reports'] } as const;

export const reportsRouter = router({
  get: adminProcedure({
    ...shared,
    scope: 'admin:read',
    summary: 'Count the firm’s tickets, answers and durations in a period',
    input: ReportInput,
    output: Report,
  }).query(({ ctx, input }) => getReport(ctx, input)),
});
