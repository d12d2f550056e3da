import { Migration } from '@mikro-orm/migrations';

/** Fills the account and firm of push registrations from before 0012. */
export class FillDeviceOwners extends Migration {
  override up(): void {
    this.addSql(`
      update devices d set user_id = t.user_id, workspace_id = t.workspace_id
      from tokens t where t.id = d.token_id and d.user_id is null`);
  }
}
