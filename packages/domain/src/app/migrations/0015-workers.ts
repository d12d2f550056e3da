import { Migration } from '@mikro-orm/migrations';

/** The leases of workers. */
export class Workers extends Migration {
  override up(): void {
    this.addSql(`
      create table workers (
        id uuid primary key,
        -- The name under which the queue locks this worker's jobs; null before its first job.
        pool_id text,
        renewed_at timestamptz not null,
        -- Whether the lease has expired. The worker's sessions are then ended, and afterwards its jobs are unlocked.
        is_dead boolean not null default false
      );
    `);
  }
}
