import { Migration } from '@mikro-orm/migrations';

/** The signature of a mailbox, and its automatic answer. */
export class MailboxSettings extends Migration {
  override up(): void {
    this.addSql(`
      alter table mailboxes
        add column signature text not null default '',
        -- The automatic answer, with the account that has set it; null if there was never one.
        add column absence jsonb`);
  }
}
