import { Migration } from '@mikro-orm/migrations';

/** The devices on which an account has signed in. */
export class KnownDevices extends Migration {
  override up(): void {
    this.addSql(`
      -- Whether a device that signs in is new. Ended sessions count too, and tokens_user does not contain them.
      create index tokens_devices on tokens (user_id, coalesce(name, '')) where kind = 'device';
    `);
  }
}
