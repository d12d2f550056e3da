import { Migration } from '@mikro-orm/migrations';

/** Why a notification concerns its account in person: it was mentioned, or a ticket was assigned to it. */
export class NotificationReasons extends Migration {
  override up(): void {
    this.addSql('alter table notifications add column reason text');
  }
}
