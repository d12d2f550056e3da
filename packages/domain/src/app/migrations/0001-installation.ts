import { Migration } from '@mikro-orm/migrations';

/** What all features share: the installation, idempotency keys, workers, requested jobs and the event log. */
export class Installation extends Migration {
  override up(): void {
    this.addSql(`
      -- Let GIN and GiST indexes begin with the mailbox or the firm.
      create extension if not exists btree_gin;
      create extension if not exists btree_gist;

      -- One row.
      create table installation (
        only_row boolean primary key default true check (only_row),
        -- Shared by all nodes. Signs cursors and known devices.
        secret bytea not null,
        -- The secret before the last rotation, which stays valid until the next one.
        previous_secret bytea,
        rotated_at timestamptz,
        -- The name of a migration. A process that knows it can work on this schema, even if it does not know later ones.
        compatible_since text collate "C" not null,
        created_at timestamptz(3) not null default now()
      );
      insert into installation (secret, compatible_since)
        values (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'), '0001-installation');

      -- The answers to POSTs, for replay.
      -- Each row is inserted without an answer and completed later. The free space keeps that update on the same page.
      create table idempotency_keys (
        -- SHA-256 of token, method, path and key: the key itself is not stored.
        id bytea primary key,
        body_hash bytea not null,
        status smallint,
        answer bytea,
        created_at timestamptz(3) not null
      ) with (fillfactor = 60);
      -- Pruning, oldest first.
      create index idempotency_keys_age on idempotency_keys (created_at);

      -- The leases of workers.
      create table workers (
        id uuid primary key,
        -- The name under which the queue locks this worker's jobs; null before its first job.
        pool_id text,
        renewed_at timestamptz not null,
        -- Whether the lease has expired. The worker's sessions are then ended, and afterwards its jobs are unlocked.
        is_dead boolean not null default false
      );

      -- The jobs that committed transactions request, until a worker moves them into the queue.
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

      create sequence event_log_ids;

      -- The events of each firm. Not inserted in the order of their commits: a row gets its position after the commit, from the
      -- processes that follow the firm. So after position n was read, no row appears at or below n.
      -- No foreign keys: a row is stored for a day, and a reply appends twenty rows per second.
      create table event_log (
        workspace_id integer not null,
        -- The order of insertion. Drawn while a lock on the subject is held, so that it is the order of a subject's events.
        id bigint not null default nextval('event_log_ids'),
        position bigint,
        -- Tells an event from another that gets its position after the database has lost it.
        tag integer not null default floor(random() * 2147483647)::integer,
        -- The id of a ticket, or one word for all events of a kind: notifications.
        subject text collate "C" not null,
        type text collate "C" not null,
        body jsonb not null,
        created_at timestamptz(3) not null,
        primary key (workspace_id, id)
      );
      -- The events that need a position.
      create index event_log_unplaced on event_log (workspace_id, id) where position is null;
      -- A row enters these indexes when it gets its position. The first is read by every process that follows the firm.
      create unique index event_log_position on event_log (workspace_id, position) where position is not null;
      create index event_log_subject on event_log (workspace_id, subject, position) where position is not null;
      -- Resumes the stream of a firm's inbox.
      create index event_log_tickets on event_log (workspace_id, position)
        where type = 'ticket.updated' and position is not null;
      -- Pruning.
      create index event_log_age on event_log (created_at);

      -- The end of each firm's log, and the place up to which it was pruned. Locked while positions are given.
      create table event_log_heads (
        workspace_id integer primary key,
        position bigint not null default 0,
        tag integer not null default 0,
        pruned_through bigint not null default 0,
        pruned_tag integer not null default 0
      );
    `);
  }
}
