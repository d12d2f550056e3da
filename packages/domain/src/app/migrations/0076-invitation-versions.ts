import { Migration } from '@mikro-orm/migrations';
import { distributeNewTable } from './new-firm-table.ts';

/**
 * Who sent an invitation and which version of it the calendar has, also after its event is gone. Events of before have no sender: only their
 * organizer can change them. A gateway of the previous version does not write the new columns.
 */
export class InvitationVersions extends Migration {
  override up(): void {
    this.addSql('alter table events add column sender_email text, add column stamp timestamptz(3)');
    this.addSql('alter table event_overrides add column stamp timestamptz(3)');
    this.addSql(`
      create table ended_invitations (
        workspace_id integer not null,
        id bigint generated always as identity,
        user_id text collate "C" not null,
        uid text not null,
        -- The recurrence id of an occurrence, null for the whole event.
        occurrence jsonb,
        sender_email text not null,
        organizer_email text,
        sequence integer not null,
        stamp timestamptz(3),
        ended_at timestamptz(3) not null,
        constraint ended_invitations_pkey primary key (workspace_id, id)
      )`);
    this.addSql('create index ended_invitations_uid on ended_invitations (workspace_id, user_id, uid)');
    this.addSql('create index ended_invitations_age on ended_invitations (ended_at)');
    this.addSql(distributeNewTable('ended_invitations'));
    this.addSql(`
      alter table ended_invitations add constraint ended_invitations_user_id_fkey
        foreign key (user_id) references users on delete cascade`);
  }
}
