import { Migration } from '@mikro-orm/migrations';

/**
 * Moves the tokens of the environment `test` from firms to the firms' test twins, with their push registrations. Processes of the previous
 * version then reject their calls, because a twin has no members of its own. A token that such a process issues for a firm is moved by
 * its first call (`access/authenticate.ts`).
 */
export class MoveTestTokens extends Migration {
  override up(): void {
    this.addSql(`
      insert into workspaces (slug, name, push_content, assistant_enabled_for_team, assistant_monthly_allowance, twin_of, created_at)
      select slug || '.test', name, push_content, assistant_enabled_for_team, assistant_monthly_allowance, id, now() from workspaces w
      where twin_of is null and exists (select from tokens t where t.workspace_id = w.id and t.environment = 'test')
      on conflict do nothing`);
    this.addSql(`
      update tokens t set workspace_id = w.id, rights_changed_in = pg_current_xact_id() from workspaces w
      where w.twin_of = t.workspace_id and t.environment = 'test'`);
    this.addSql(`
      update devices d set workspace_id = t.workspace_id from tokens t
      where t.id = d.token_id and t.environment = 'test' and d.workspace_id <> t.workspace_id`);
  }
}
