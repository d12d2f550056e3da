import { Migration } from '@mikro-orm/migrations';

/** The trace that a push continues, for the process that sends it. Processes of the previous version store none. */
export class PushTraces extends Migration {
  override up(): void {
    this.addSql('alter table push_outbox add column if not exists trace text');
  }
}
