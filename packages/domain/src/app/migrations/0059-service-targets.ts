import { Migration } from '@mikro-orm/migrations';

/**
 * The service targets of a firm, and the clock of a ticket with its due times. Gateways of the previous version do not keep the clock: a
 * ticket that they change has the due times of before until its next change, or a change of the targets, by a new gateway.
 */
export class ServiceTargets extends Migration {
  override up(): void {
    this.addSql('alter table workspaces add column service_targets jsonb');
    this.addSql(`
      alter table tickets
        add column waiting_since timestamptz(3),
        add column waited_seconds integer not null default 0,
        add column first_responded_at timestamptz(3),
        add column first_response_warned boolean not null default false,
        add column resolution_warned boolean not null default false,
        add column first_response_due_at timestamptz(3),
        add column resolution_due_at timestamptz(3),
        add column next_due_at timestamptz(3) not null default '9999-12-31 00:00+00',
        add column due_warning_at timestamptz(3)`);
  }
}
