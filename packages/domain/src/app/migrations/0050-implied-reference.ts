import { Migration } from '@mikro-orm/migrations';

/**
 * Drops the reference of messages to their firm, which that to their ticket implies. Each new message checked it, and locked the row of
 * the firm for this, which all messages of the firm share.
 */
export class ImpliedReference extends Migration {
  override up(): void {
    this.addSql('alter table ticket_messages drop constraint if exists ticket_messages_workspace_id_fkey');
  }
}
