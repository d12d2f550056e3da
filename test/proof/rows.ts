import type { TestGateway } from '@firmdesk/testing/gateway';

/** Returns every row of every table as text, except those of a workspace. */
export async function everyRow(
  { services }: Pick<TestGateway, 'services'>,
  except?: { id: number },
): Promise<Map<string, Set<string>>> {
  const { pool } = services;
  const { rows: tables } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const all = new Map<string, Set<string>>();
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(
      `select t::text as row from "${name}" t where to_jsonb(t)->>'${name === 'workspaces' ? 'id' : 'workspace_id'}' is distinct from $1::text`,
      [except?.id],
    );
    all.set(name, new Set(rows.map(({ row }) => row)));
  }
  return all;
}
