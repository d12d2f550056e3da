import { Migration } from '@mikro-orm/migrations';

/** What the console's composer writes: the formatting of texts, null without, and the note of a command to the assistant, for its undo. */
export class Composer extends Migration {
  override up(): void {
    this.addSql('alter table ticket_messages add column body_html text');
    this.addSql('alter table delayed_sends add column body_html text');
    this.addSql('alter table unsent_replies add column html text');
    this.addSql('alter table reply_drafts add column html text');
    this.addSql('alter table assistant_runs add column command_id text collate "C"');
  }
}
