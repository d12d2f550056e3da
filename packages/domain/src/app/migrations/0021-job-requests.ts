import { Migration } from '@mikro-orm/migrations';

/**
 * The jobs that committed transactions request, until a worker moves them into the queue. Workers of the previous version do not
 * read this table: what a new gateway requests waits for the first new worker.
 */
export class JobRequests extends Migration {
  override up(): void {
    this.addSql(`
      create table job_requests (
        -- 0 for a job of no firm.
        workspace_id integer not null,
        id uuid not null default gen_random_uuid(),
        requested_at timestamptz not null default clock_timestamp(),
        task text not null,
        payload json not null,
        run_at timestamptz not null,
        max_attempts smallint,
        key text,
        primary key (workspace_id, id)
      ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
    `);
  }
}
