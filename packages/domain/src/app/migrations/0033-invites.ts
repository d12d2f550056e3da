import { Migration } from '@mikro-orm/migrations';
import { distributeNewTable } from './new-firm-table.ts';

/** The invites of people to a firm's team. */
export class Invites extends Migration {
  override up(): void {
    this.addSql(`
      create table invites (
        workspace_id integer not null,
        id text collate "C" not null,
        email text not null,
        permissions text[] not null,
        -- The member whose permissions it gives on: nobody can accept it once this account may not give them.
        invited_by text collate "C" not null,
        state text not null default 'pending' check (state in ('pending', 'accepted', 'revoked')),
        -- How many mails with its link were sent.
        sent integer not null default 0,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        primary key (workspace_id, id)
      )`);
    this.addSql(`
      create index invites_email on invites (workspace_id, lower(email))`);
    this.addSql(`
      create index invites_inviter on invites (workspace_id, invited_by)`);
    this.addSql(`
      create index invites_age on invites (expires_at)`);
    this.addSql(distributeNewTable('invites'));
    this.addSql(`
      alter table invites add constraint invites_inviter foreign key (invited_by) references users on delete cascade`);
  }
}
