import { fillSearchTexts } from '../../calendar/search/fill-search-texts.ts';
import { OnlineMigration } from './online-migration.ts';

/** The colours of calendars, whether colleagues see their busy times, and what a search of events reads. */
export class CalendarSettings extends OnlineMigration {
  override async up(): Promise<void> {
    await this.query(`
      alter table calendars
        add column if not exists color text,
        add column if not exists shows_busy boolean not null default true`);
    for (const table of ['events', 'event_overrides'])
      await this.query(`alter table ${table} add column if not exists search_text text`);
    const firms = await this.query<{ id: number }>('select id from workspaces order by id');
    for (const [n, { id }] of firms.entries()) {
      await fillSearchTexts((statement) => this.query(statement), id);
      this.report(`making the search texts of events: ${n + 1} of ${firms.length} firms`);
    }
  }
}
