import { Migration } from '@mikro-orm/migrations';
import { distributeNewTable } from './new-firm-table.ts';

/**
 * Links between tickets, and the ticket that another one was merged into. Gateways of the previous version show a merged ticket as
 * closed and without its messages.
 */
export class MergedTickets extends Migration {
  override up(): void {
    this.addSql('alter table tickets add column merged_into text collate "C"');
    // Two rows for each link.
    this.addSql(`
      create table ticket_links (
        workspace_id integer not null,
        ticket_id text collate "C" not null,
        other_id text collate "C" not null,
        created_at timestamptz(3) not null,
        primary key (workspace_id, ticket_id, other_id)
      )`);
    this.addSql('create index ticket_links_other on ticket_links (workspace_id, other_id)');
    this.addSql(distributeNewTable('ticket_links'));
    for (const column of ['ticket_id', 'other_id'])
      this.addSql(`
        alter table ticket_links add constraint ticket_links_${column}_fkey
          foreign key (workspace_id, ${column}) references tickets (workspace_id, id) on delete cascade`);
  }
}
