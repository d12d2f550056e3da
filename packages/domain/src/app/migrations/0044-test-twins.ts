import { Migration } from '@mikro-orm/migrations';

/**
 * A workspace can be the test twin of another one (docs/decisions/0041), and the outbox records the payloads of a twin's pushes.
 * Each constraint is a statement of its own, because a distributed installation accepts no others for tables that it copies.
 */
export class TestTwins extends Migration {
  override up(): void {
    this.addSql('alter table workspaces add twin_of integer');
    this.addSql('alter table workspaces add constraint workspaces_twin_of_key unique (twin_of)');
    this.addSql(
      'alter table workspaces add constraint workspaces_twin_of_fkey foreign key (twin_of) references workspaces (id)',
    );
    this.addSql('alter table push_outbox add payload jsonb');
  }
}
