import { Migration } from '@mikro-orm/migrations';

/**
 * The trail of a firm ends only after the trail of the platform says that the firm is deleted. The account of the service cannot change or end
 * that one, so nobody who has this account ends a trail without a trace. A firm is no longer deleted while it has a trail.
 */
export class EndOfATrail extends Migration {
  override up(): void {
    this.addSql(`
      do $do$
      begin
        execute format($sql$
          create or replace function delete_audit_events(firm integer, most integer) returns integer
          language plpgsql security definer set search_path = %1$I, pg_temp as $body$
          declare
            deleted integer;
            platform integer;
            deleting workspaces;
          begin
            select id into platform from workspaces where slug = 'platform';
            select f.* into deleting from workspaces w join workspaces f on f.id = coalesce(w.sandbox_of, w.id)
              where w.id = firm and f.deletion_started_at is not null;
            perform from audit_events
              where workspace_id = platform and target_id = deleting.slug and action = 'firm.deletion_started'
                and (after->>'firm')::integer = deleting.id and deleting.id <> platform;
            if not found then
              raise exception 'the deletion of the firm has not begun' using errcode = 'insufficient_privilege';
            end if;
            delete from audit_events where workspace_id = firm and id = any(array(
              select id from audit_events where workspace_id = firm limit most));
            get diagnostics deleted = row_count;
            return deleted;
          end $body$
        $sql$, current_schema());
      end $do$`);
    this.addSql('alter table audit_events drop constraint audit_events_workspace_id_fkey');
    this.addSql(`
      alter table audit_events
        add constraint audit_events_workspace_id_fkey foreign key (workspace_id) references workspaces not valid`);
  }
}
