import { Migration } from '@mikro-orm/migrations';

/** Formatting of messages of the team and of what they are made of. Null: the text has none. */
export class FormattedTexts extends Migration {
  override up(): void {
    this.addSql('alter table ticket_messages add column body_html text');
    this.addSql('alter table delayed_sends add column body_html text');
    this.addSql('alter table unsent_replies add column html text');
    this.addSql('alter table reply_drafts add column html text');
  }
}
