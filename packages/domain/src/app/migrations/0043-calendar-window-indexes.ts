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
      // Waits for the oldest transaction. Nothing waits behind it.
      await this.execute('set lock_timeout = 0');
      await this.execute(`drop index concurrently if exists ${table}_span`);
      await this.execute('reset lock_timeout');
    }
  }
}
