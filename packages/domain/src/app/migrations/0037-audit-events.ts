import { distributeNewTable } from './new-firm-table.ts';
import { OnlineMigration } from './online-migration.ts';

/**
 * The audit trail, deactivated accounts, and the last secret of a token that was rotated. Each table is changed by a statement of its
 * own. Processes of the previous version accept neither the last secret of a token, nor refuse the sign-in of a deactivated account.
 */
export class AuditEvents extends OnlineMigration {
  override async up(): Promise<void> {
    await this.query(`
      create table if not exists audit_events (
        -- The firm that an event concerns; the workspace 'platform' for events of a whole account or of the installation.
        workspace_id integer not null,
        id bigint generated always as identity,
        created_at timestamptz(3) not null,
        actor_kind text not null,
        -- The name of an operator, or the id of an account; null for the system.
        actor text,
        action text collate "C" not null,
        target_type text not null,
        -- The id as the API names it: usr_…, key_…, tkt_…, the slug of a firm.
        target_id text collate "C" not null,
        before jsonb,
        after jsonb,
        constraint audit_events_pkey primary key (workspace_id, id),
        constraint audit_events_actor_kind_check check (actor_kind in ('operator', 'account', 'system'))
      )`);
    await this.query(distributeNewTable('audit_events'));
    await this.addConstraint(
      'audit_events',
      'audit_events_workspace_id_fkey',
      'foreign key (workspace_id) references workspaces on delete cascade',
    );
    // The history of one account, token or ticket.
    await this.query(
      'create index if not exists audit_events_target on audit_events (workspace_id, target_id, id)',
    );
    // Pruning.
    await this.query('create index if not exists audit_events_age on audit_events (created_at)');
    await this.query('alter table users add column if not exists deactivated_at timestamptz(3)');
    await this.query(`
      alter table tokens add column if not exists previous_secret_hash bytea,
        add column if not exists previous_secret_until timestamptz(3)`);
  }
}
