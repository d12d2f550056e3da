import { Migration } from '@mikro-orm/migrations';

/** What is known of the contents of files. */
export class FileScans extends Migration {
  override up(): void {
    this.addSql(`
      alter table attachments add column is_program boolean not null default false;
      -- Null: the file is not scanned.
      alter table attachments add column scan text check (scan in ('waiting', 'clean', 'infected'));
    `);
  }
}
