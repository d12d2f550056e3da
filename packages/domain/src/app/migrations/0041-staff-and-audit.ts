import { Migration } from '@mikro-orm/migrations';

/**
 * The firms that a session of the staff has entered with a reason, and an audit trail that the account of the service only reads and adds to. Its
 * rows go by two functions, which run with the rights of the owner: what has expired, and what belongs to a firm whose deletion has begun. They name
 * their schema and not the caller's temporary tables. Only accounts with rights on the trail run them.
 */
export class StaffAndAudit extends Migration {
  override up(): void {
    this.addSql(`alter table tokens add column entered_firms integer[] not null default '{}'`);
    this.addSql(`
      do $do$
      declare
        account text;
      begin
        execute format($sql$
          create function expire_audit_events(firm integer, expired timestamptz, most integer) returns integer
          language plpgsql security definer set search_path = %1$I, pg_temp as $body$
          declare
            deleted integer;
          begin
            delete from audit_events where workspace_id = firm and id = any(array(
              -- No firm can keep its trail for less than 90 days.
              select id from audit_events
              where workspace_id = firm and created_at < least(expired, now() - interval '90 days')
              order by created_at limit most));
            get diagnostics deleted = row_count;
            return deleted;
          end $body$
        $sql$, current_schema());
        execute format($sql$
          create function delete_audit_events(firm integer, most integer) returns integer
          language plpgsql security definer set search_path = %1$I, pg_temp as $body$
          declare
            deleted integer;
          begin
            if not exists (
              select from workspaces w join workspaces f on f.id = coalesce(w.sandbox_of, w.id)
              where w.id = firm and f.deletion_started_at is not null)
            then
              raise exception 'the deletion of the firm has not begun' using errcode = 'insufficient_privilege';
            end if;
            delete from audit_events where workspace_id = firm and id = any(array(
              select id from audit_events where workspace_id = firm limit most));
            get diagnostics deleted = row_count;
            return deleted;
          end $body$
        $sql$, current_schema());
        revoke execute on function expire_audit_events, delete_audit_events from public;
        for account in
          select distinct a.grantee::regrole::text
          from pg_class c cross join aclexplode(c.relacl) a
          where c.oid = 'audit_events'::regclass and a.grantee not in (0, c.relowner)
        loop
          execute format('revoke update, delete, truncate on audit_events from %s', account);
          execute format('grant execute on function expire_audit_events, delete_audit_events to %s', account);
        end loop;
      end $do$`);
  }
}
