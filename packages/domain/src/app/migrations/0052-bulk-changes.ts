import { Migration } from '@mikro-orm/migrations';
import { distributeNewTable } from './new-firm-table.ts';

/**
 * Changes of many tickets, and their tickets in batches. Workers of the previous version do not know the job: a bulk change waits for the
 * first new worker.
 */
export class BulkChanges extends Migration {
  override up(): void {
    this.addSql(`
      create table bulk_changes (
        workspace_id integer not null,
        id text collate "C" not null,
        user_id text collate "C" not null,
        action jsonb not null,
        state text not null default 'running',
        tickets integer not null,
        changed integer not null default 0,
        skipped integer not null default 0,
        undone integer not null default 0,
        created_at timestamptz(3) not null,
        ended_at timestamptz(3),
        constraint bulk_changes_pkey primary key (workspace_id, id),
        constraint bulk_changes_state_check check (state in ('running', 'done', 'undoing', 'undone'))
      )`);
    this.addSql('create index bulk_changes_by_user on bulk_changes (workspace_id, user_id, created_at)');
    // Pruning.
    this.addSql('create index bulk_changes_age on bulk_changes (created_at)');
    this.addSql(distributeNewTable('bulk_changes'));
    this.addSql(`
      alter table bulk_changes add constraint bulk_changes_workspace_id_fkey
        foreign key (workspace_id) references workspaces on delete cascade`);
    this.addSql(`
      create table bulk_change_batches (
        workspace_id integer not null,
        bulk_change_id text collate "C" not null,
        position integer not null,
        tickets text[] not null,
        -- The changed tickets with their earlier values, and the skipped ones with the reasons; null before the batch has run.
        changed jsonb,
        skipped jsonb,
        is_undone boolean not null default false,
        constraint bulk_change_batches_pkey primary key (workspace_id, bulk_change_id, position)
      )`);
    this.addSql(distributeNewTable('bulk_change_batches'));
    this.addSql(`
      alter table bulk_change_batches add constraint bulk_change_batches_bulk_change_fkey
        foreign key (workspace_id, bulk_change_id) references bulk_changes (workspace_id, id) on delete cascade`);
  }
}
