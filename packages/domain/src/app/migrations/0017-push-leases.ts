import { Migration } from '@mikro-orm/migrations';

/** The lease of a sender on a row of the outbox, separate from the due time. */
export class PushLeases extends Migration {
  override up(): void {
    this.addSql('alter table push_outbox add column leased_until timestamptz');
  }
}
