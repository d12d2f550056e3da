import { Migration } from '@mikro-orm/migrations';

/**
 * The installation's secret before the current one, which stays valid. A process of the previous version knows only the current
 * one, and reads it once: rotate when all processes have this version.
 */
export class SecretRotation extends Migration {
  override up(): void {
    this.addSql(`
      alter table installation add column if not exists previous_secret bytea,
        add column if not exists rotated_at timestamptz;
    `);
  }
}
