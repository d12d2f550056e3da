import { OnlineMigration } from './online-migration.ts';

/**
 * Adds the firm to the range indexes of calendars. Without it, the planner combines the range index with the primary key, and so
 * reads the keys of all events of the firm for each calendar.
 */
export class CalendarWindowIndexes extends OnlineMigration {
  override async up(): Promise<void> {
    for (const table of ['events', 'event_overrides']) {
      await this.buildIndex(
        `${table}_window`,
        `${table} using gist (workspace_id, calendar_id, tstzrange(span_start, span_end, '[]'))`,
        false,
      );
      await this.dropIndex(`${table}_span`);
    }
  }
}
