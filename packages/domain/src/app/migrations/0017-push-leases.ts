import { Migration } from '@mikro-orm/migrations';

/** Until when a row of the outbox belongs to the sender that has taken it, apart from when it is due. */
export class PushLeases extends Migration {
  override up(): void {
    this.addSql('alter table push_outbox add column leased_until timestamptz');
  }
}
