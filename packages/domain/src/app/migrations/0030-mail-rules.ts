import { Migration } from '@mikro-orm/migrations';

/** The rules for the mail that arrives in a mailbox. */
export class MailRules extends Migration {
  override up(): void {
    this.addSql(`
      -- In the order in which they run, each with the account that has set it.
      alter table mailboxes add column rules jsonb not null default '[]'`);
  }
}
