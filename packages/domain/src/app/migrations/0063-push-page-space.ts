import { Migration } from '@mikro-orm/migrations';

/** Leaves space in the pages of the outbox, so that a lease is written beside its row and changes no index. */
export class PushPageSpace extends Migration {
  override up(): void {
    this.addSql('alter table push_outbox set (fillfactor = 40)');
  }
}
