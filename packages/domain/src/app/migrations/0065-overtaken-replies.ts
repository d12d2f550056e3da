import { Migration } from '@mikro-orm/migrations';

/**
 * Until which message the author of a held reply has seen its ticket; null to send it in any case, as of a gateway of the previous version.
 * Workers of the previous version send overtaken replies.
 */
export class OvertakenReplies extends Migration {
  override up(): void {
    this.addSql('alter table held_replies add column seen_through timestamptz(3)');
  }
}
