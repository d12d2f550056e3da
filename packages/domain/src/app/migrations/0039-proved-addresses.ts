import { Migration } from '@mikro-orm/migrations';

/**
 * Whether the owner of its address uses an account. The accounts so far, those of imports and those that operators add count as proved: an operator
 * answers for them, or they have worked with the address.
 */
export class ProvedAddresses extends Migration {
  override up(): void {
    this.addSql(`alter table users add column email_proved boolean not null default true`);
  }
}
