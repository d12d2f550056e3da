import { Migration } from '@mikro-orm/migrations';

/**
 * The trail of the platform is known by its id. Its slug can be changed by the account of the service, which could then give it to another firm,
 * record there that a firm is deleted, and end the trail of that firm (migration 0046).
 */
export class PlatformById extends Migration {
  override up(): void {
    this.addSql(`
      do $do$
      begin
        execute format($sql$
          create or replace function delete_audit_events(firm integer, most integer) returns integer
          language plpgsql security definer set search_path = %1$I, pg_temp as $body$
          declare
            deleted integer;
            platform constant integer := %2$s;
            deleting workspaces;
          begin
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
        $sql$, current_schema(), (select id from workspaces where slug = 'platform'));
      end $do$`);
  }
}
