import { Migration } from '@mikro-orm/migrations';

/** What is known of the contents of files. */
export class FileScans extends Migration {
  override up(): void {
    this.addSql(`
      alter table attachments
        add column is_program boolean not null default false,
        -- Null: the file is not scanned.
        add column scan text`);
    this.addSql(`
      alter table attachments add constraint attachments_scan_check check (scan in ('waiting', 'clean', 'infected'))`);
  }
}
