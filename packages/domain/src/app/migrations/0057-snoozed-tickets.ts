import { Migration } from '@mikro-orm/migrations';

/**
 * The snooze of a ticket: since when, until when (null: until the trader writes), and when the last one ended. Gateways of the previous
 * version show snoozed tickets in all lists. Their workers do not know the job that wakes tickets, which waits for the first new worker.
 */
export class SnoozedTickets extends Migration {
  override up(): void {
    this.addSql(`
      alter table tickets add column snoozed_at timestamptz(3), add column snoozed_until timestamptz(3),
        add column woken_at timestamptz(3)`);
  }
}
