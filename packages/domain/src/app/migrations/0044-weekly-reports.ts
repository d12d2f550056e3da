import { Migration } from '@mikro-orm/migrations';

/** Whether a member gets the weekly mail of reports, and the Monday of the last one. */
export class WeeklyReports extends Migration {
  override up(): void {
    this.addSql(`alter table memberships
      add column gets_weekly_report boolean not null default false,
      add column weekly_report_on date`);
  }
}
