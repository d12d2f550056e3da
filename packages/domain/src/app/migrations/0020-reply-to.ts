import { Migration } from '@mikro-orm/migrations';

/** To whom the sender of a received message wants answers. */
export class ReplyTo extends Migration {
  override up(): void {
    this.addSql(`alter table mail_messages add column reply_to jsonb not null default '[]'`);
  }
}
