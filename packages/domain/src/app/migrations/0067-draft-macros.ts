import { Migration } from '@mikro-orm/migrations';

/** The macros of an unsent reply. A gateway of the previous version keeps those of an earlier save. */
export class DraftMacros extends Migration {
  override up(): void {
    this.addSql('alter table reply_drafts add column macros jsonb');
  }
}
