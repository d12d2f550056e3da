import { Migration } from '@mikro-orm/migrations';

/** Whether the domain of a message's sender vouches for it, as a mail server has found out. */
export class SenderChecks extends Migration {
  override up(): void {
    this.addSql('alter table mail_messages add column sender_check jsonb');
  }
}
