import { OnlineMigration } from './online-migration.ts';

/** Whether a member gets the weekly mail of reports, and the Monday of the last one. */
export class WeeklyReports extends OnlineMigration {
  override async up(): Promise<void> {
    await this.query(`
      alter table memberships
        add column if not exists gets_weekly_report boolean not null default false,
        add column if not exists weekly_report_on date`);
    // A job reads them every quarter of an hour; few of a firm's members are among them.
    await this.buildIndex(
      'memberships_weekly_report',
      'memberships (workspace_id) where gets_weekly_report',
      false,
    );
  }
}
