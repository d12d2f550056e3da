import { Migration } from '@mikro-orm/migrations';
import { distributeNewTable } from './new-firm-table.ts';

/**
 * Counts the replies of the assistant in a table of firms. A distributed installation copies `workspaces` to every server, and a write
 * to a copied table makes the writes of all firms wait.
 *
 * Processes of the previous version continue to count in `workspaces`: what they use until they are replaced is not in the new
 * count. The next release drops `assistant_used` and `assistant_period`.
 */
export class AssistantUsage extends Migration {
  override up(): void {
    this.addSql(`
      create table assistant_usage (
        workspace_id integer not null,
        -- The first day of the month to which the number belongs.
        month date not null,
        used integer not null default 0,
        constraint assistant_usage_pkey primary key (workspace_id),
        constraint assistant_usage_used_check check (used >= 0)
      )`);
    this.addSql(distributeNewTable('assistant_usage'));
    this.addSql(`
      alter table assistant_usage add constraint assistant_usage_workspace_id_fkey
        foreign key (workspace_id) references workspaces on delete cascade`);
    this.addSql(`
      insert into assistant_usage (workspace_id, month, used)
      select id, assistant_period, assistant_used from workspaces where assistant_period is not null`);
  }
}
