import { Migration } from '@mikro-orm/migrations';

/** The state of each imported file, so that an interrupted import continues and no file is imported twice. */
export class WorldImports extends Migration {
  override up(): void {
    this.addSql(`
      create table world_imports (
        -- SHA-256 of the file.
        digest bytea primary key,
        -- The moment that its relative timestamps are counted from, also when it goes on later.
        started_at timestamptz(3) not null,
        finished_at timestamptz(3)
      );

      -- The batches of an import that is not finished; each is committed with what it wrote.
      create table world_import_batches (
        digest bytea not null references world_imports on delete cascade,
        batch integer not null,
        -- Where the next batch begins.
        next_list text not null,
        next_position integer not null,
        -- The ids that its keys got, and the reports of its calendars.
        made json not null,
        primary key (digest, batch)
      );
    `);
  }
}
