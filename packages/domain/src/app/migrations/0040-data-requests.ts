import { Migration } from '@mikro-orm/migrations';
import { distributeNewTable } from './new-firm-table.ts';

/** Exports and erasures that a firm asks for, and the scheduled deletion of a firm. */
export class DataRequests extends Migration {
  override up(): void {
    this.addSql(`
      create table data_requests (
        workspace_id integer not null,
        id text collate "C" not null,
        kind text not null,
        -- Whom an export or an erasure is about; null for the export of the firm.
        person_id text collate "C",
        requested_by text collate "C" not null,
        state text not null default 'waiting',
        -- Rows by table, or records by list.
        counts jsonb not null default '{}',
        left_out text[] not null default '{}',
        problem text,
        -- The bytes of the file; null without one.
        size bigint,
        created_at timestamptz(3) not null,
        finished_at timestamptz(3),
        primary key (workspace_id, id)
      )`);
    this.addSql(`
      create index data_requests_person on data_requests (workspace_id, person_id)`);
    this.addSql(`
      create index data_requests_requester on data_requests (workspace_id, requested_by)`);
    this.addSql(`
      create index data_requests_age on data_requests (created_at)`);
    this.addSql(distributeNewTable('data_requests'));
    this.addSql(`
      alter table data_requests add constraint data_requests_person foreign key (person_id) references users on delete cascade`);
    this.addSql(`
      alter table data_requests
        add constraint data_requests_requester foreign key (requested_by) references users on delete cascade`);
    this.addSql(`
      -- When the firm is deleted, and who has asked for it; null while it is not to be deleted.
      alter table workspaces add column deletion_due_at timestamptz(3), add column deletion_requested_by text collate "C"`);
    // Firms were created with the text "{}".
    this.addSql(`update workspaces set mail_templates = '{}' where jsonb_typeof(mail_templates) <> 'object'`);
    this.addSql(`
      create index workspaces_deletion on workspaces (deletion_due_at) where deletion_due_at is not null`);
  }
}
