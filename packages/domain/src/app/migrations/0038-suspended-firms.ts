import { OnlineMigration } from './online-migration.ts';

/** Suspended firms, and firms whose deletion has begun. Processes of the previous version continue to serve them. */
export class SuspendedFirms extends OnlineMigration {
  override async up(): Promise<void> {
    await this.query(`
      alter table workspaces add column if not exists suspended_at timestamptz(3),
        add column if not exists deletion_started_at timestamptz(3)`);
    // The sockets of staff depend on the firms in which they may act.
    await this.query(
      'create index if not exists workspaces_suspended on workspaces (id) where suspended_at is not null',
    );
    // A firm's tokens: marked when it is suspended, deleted with it.
    await this.buildIndex('tokens_workspace', 'tokens (workspace_id)', false);
  }
}
