import { Migration } from '@mikro-orm/migrations';

/** The state of each imported file, so that an interrupted import continues and no file is imported twice. */
export class Imports extends Migration {
  override up(): void {
    this.addSql(`
      create table imports (
        -- SHA-256 of the file.
        digest bytea primary key,
        -- The base of its relative timestamps, also when an interrupted import continues.
        started_at timestamptz(3) not null,
        finished_at timestamptz(3)
      );

      -- The batches of an unfinished import. Each is committed together with its rows.
      create table import_batches (
        digest bytea not null references imports on delete cascade,
        batch integer not null,
        -- Where the next batch begins.
        next_list text not null,
        next_position integer not null,
        -- The ids assigned to its keys, and the reports of its calendars.
        made json not null,
        primary key (digest, batch)
      );
    `);
  }
}
