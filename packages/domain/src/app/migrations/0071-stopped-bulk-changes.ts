import { OnlineMigration } from './online-migration.ts';

/**
 * A bulk change that was stopped because its account lost its rights, and the account that undoes a bulk change. Workers of the previous
 * version leave stopped ones alone, and do not stop any.
 */
export class StoppedBulkChanges extends OnlineMigration {
  override async up(): Promise<void> {
    await this.execute('alter table bulk_changes add column if not exists stopped_because text');
    await this.execute('alter table bulk_changes add column if not exists undone_by text collate "C"');
    await this.addConstraint(
      'bulk_changes',
      'bulk_changes_state_values',
      `check (state = any ('{running,done,undoing,undone,stopped}'))`,
    );
    await this.execute('alter table bulk_changes drop constraint if exists bulk_changes_state_check');
  }
}
