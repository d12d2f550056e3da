import { Migration } from '@mikro-orm/migrations';

/** The account and firm of a push registration: those of its session. */
export class DeviceOwners extends Migration {
  override up(): void {
    this.addSql(`
      alter table devices add user_id text collate "C", add workspace_id integer;
      -- Set by a trigger, because the previous version inserts registrations without these columns.
      create function set_device_owner() returns trigger language plpgsql as $$
      begin
        select t.user_id, t.workspace_id into new.user_id, new.workspace_id from tokens t where t.id = new.token_id;
        return new;
      end $$;
      create trigger devices_owner before insert on devices for each row execute function set_device_owner();
    `);
  }
}
