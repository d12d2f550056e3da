import { Migration } from '@mikro-orm/migrations';

/**
 * Gives tables and columns the names of the field: SLA policy, delayed send, sandbox. A process that knows only the old names cannot work
 * with it. On Citus the constraints of distributed tables cannot be renamed, only their indexes: foreign keys are made again, and the
 * tables are small.
 */
export class Names extends Migration {
  override up(): void {
    this.addSql('alter table workspaces rename column service_targets to sla_policy');
    this.addSql('alter table workspaces rename column twin_of to sandbox_of');
    this.addSql('alter index workspaces_twin_of_key rename to workspaces_sandbox_of_key');
    this.addSql('alter table workspaces drop constraint workspaces_twin_of_fkey');
    this.addSql(`
      alter table workspaces
        add constraint workspaces_sandbox_of_fkey foreign key (sandbox_of) references workspaces (id)`);

    this.addSql('alter table held_replies rename to delayed_sends');
    this.addSql('alter index held_replies_pkey rename to delayed_sends_pkey');
    this.addSql('alter index held_replies_by_ticket rename to delayed_sends_by_ticket');
    this.addSql('alter table delayed_sends drop constraint held_replies_ticket_fkey');
    this.addSql(`
      alter table delayed_sends add constraint delayed_sends_ticket_fkey
        foreign key (workspace_id, ticket_id) references tickets (workspace_id, id) on delete cascade`);
    // PostgreSQL 18 names the constraints of columns that must not be null.
    this.addSql(`
      do $$
      declare named record;
      begin
        if to_regclass('pg_dist_partition') is not null then return; end if;
        for named in select conname as name from pg_constraint
          where conrelid = 'delayed_sends'::regclass and conname like 'held\\_replies\\_%'
        loop
          execute format('alter table delayed_sends rename constraint %I to %I', named.name,
            replace(named.name, 'held_replies', 'delayed_sends'));
        end loop;
      end $$`);

    // The job has the new name too. What was requested or waits under the old one is requested again; one that ran changes nothing.
    this.addSql(`delete from job_requests where task = 'tickets.send_held'`);
    this.addSql(`
      do $$
      begin
        if to_regclass('graphile_worker.jobs') is null then return; end if;
        perform graphile_worker.complete_jobs(array(
          select id from graphile_worker.jobs where task_identifier = 'tickets.send_held'));
      end $$`);
    this.addSql(`
      insert into job_requests (workspace_id, task, payload, run_at)
      select workspace_id, 'tickets.send_delayed',
        json_build_object('workspace', workspace_id, 'ticket', ticket_id, 'id', id), created_at + interval '10 seconds'
      from delayed_sends`);
  }
}
