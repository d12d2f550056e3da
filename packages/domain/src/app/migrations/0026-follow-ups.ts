import { Migration } from '@mikro-orm/migrations';

/** How a ticket is linked with the other: as an equal, or one follows the other, which had ended. */
export class FollowUps extends Migration {
  override up(): void {
    this.addSql(`alter table ticket_links add column relation text not null default 'linked'`);
  }
}
