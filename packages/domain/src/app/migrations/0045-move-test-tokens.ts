import { Migration } from '@mikro-orm/migrations';

/**
 * Moves the tokens of the environment `test` from firms to the firms' test twins, with their push registrations. Processes of the previous
 * version then reject their calls, because a twin has no members of its own. A token that such a process issues for a firm is moved by
 * its first call (`access/authenticate.ts`).
 */
export class MoveTestTokens extends Migration {
  override async up(): Promise<void> {
    // Statements of their own: Citus joins tokens with workspaces in no statement that writes.
    const firms = await this.#rows<{ id: number }>(
      `select distinct workspace_id as id from tokens where environment = 'test'`,
    );
    if (firms.length === 0) return;
    const ids = firms.map(({ id }) => id).join(', ');
    await this.execute(`
      insert into workspaces (slug, name, push_content, assistant_enabled_for_team, assistant_monthly_allowance, twin_of, created_at)
      select slug || '.test', name, push_content, assistant_enabled_for_team, assistant_monthly_allowance, id, now() from workspaces
      where twin_of is null and id in (${ids})
      on conflict do nothing`);
    const twins = await this.#rows<{ id: number; twin_of: number }>(
      `select id, twin_of from workspaces where twin_of in (${ids})`,
    );
    if (twins.length === 0) return;
    const pairs = twins.map(({ id, twin_of }) => `(${twin_of}, ${id})`).join(', ');
    await this.execute(`
      update tokens t set workspace_id = w.twin, rights_changed_in = pg_current_xact_id()
      from (values ${pairs}) as w (firm, twin)
      where w.firm = t.workspace_id and t.environment = 'test'`);
    await this.execute(`
      update devices d set workspace_id = t.workspace_id from tokens t
      where t.id = d.token_id and t.environment = 'test' and d.workspace_id <> t.workspace_id`);
  }

  /** Returns the rows of a statement in the migration's transaction. */
  async #rows<Row>(statement: string): Promise<Row[]> {
    return (await this.execute(statement)) as Row[];
  }
}
