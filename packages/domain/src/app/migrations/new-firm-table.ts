/**
 * Returns the statement with which a migration distributes a firm's table that it has just created, if the installation is distributed. Add
 * its references after it, each with a statement of its own.
 */
export function distributeNewTable(table: string): string {
  return `
    do $$
    begin
      if to_regclass('pg_dist_partition') is null then return; end if;
      if exists (select from pg_dist_partition where logicalrelid = 'tickets'::regclass and partmethod = 'h')
        and not exists (select from pg_dist_partition where logicalrelid = '${table}'::regclass and partmethod = 'h') then
        perform create_distributed_table('${table}', 'workspace_id', colocate_with => 'tickets');
      end if;
    end $$`;
}
