import { Migration } from '@mikro-orm/migrations';

/** The leases of workers. */
export class Workers extends Migration {
  override up(): void {
    this.addSql(`
      create table workers (
        id uuid primary key,
        -- The queue's own name for it, by which it locks jobs; null until it takes the first.
        pool_id text,
        renewed_at timestamptz not null,
        -- Its lease has run out: its sessions are being ended, and its jobs then freed.
        is_dead boolean not null default false
      );
    `);
  }
}
