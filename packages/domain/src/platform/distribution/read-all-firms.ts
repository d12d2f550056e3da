import type { Pool, QueryConfig } from 'pg';
import { isUnavailable } from '../database/database-errors.ts';
import { runForAllFirms, runForServer } from './firm-servers.ts';
import { isDistributed } from './is-distributed.ts';

/** A statement on the rows of all firms. */
interface AllFirmsRead {
  /** Set for a frequent statement: each connection then plans it once. */
  name?: string;
  /**
   * Returns the text. `isAmong` returns the condition that a column with a firm's id must meet, and is called for each firm's table of the
   * statement: Citus finds the server by these conditions.
   */
  text: (isAmong: (column: string) => string) => string;
  values?: readonly unknown[];
}

/**
 * Reads rows of all firms. If a server of a distributed installation is lost or silent, returns the rows of the firms on the other servers,
 * so that it stops only its own firms. Rejects if no server answers.
 */
export async function readAllFirms<Row extends object>(
  pool: Pool,
  { name, text, values = [] }: AllFirmsRead,
): Promise<Row[]> {
  try {
    return await runForAllFirms(pool, () =>
      read<Row>(pool, {
        ...(name !== undefined && { name }),
        text: text(() => 'true'),
        values: [...values],
      }),
    );
  } catch (error) {
    if (!isUnavailable(error) || !(await isDistributed(pool).catch(() => false))) throw error;
  }
  const ofServer = text((column) => `${column} = any($${values.length + 1}::integer[])`);
  const parts = await Promise.allSettled(
    (await firmsOfServers(pool)).map(({ server, firms }) =>
      runForServer(pool, server, () => read<Row>(pool, { text: ofServer, values: [...values, firms] })),
    ),
  );
  const answered = parts.filter((part) => part.status === 'fulfilled');
  if (answered.length === 0) throw parts.find((part) => part.status === 'rejected')!.reason;
  return answered.flatMap(({ value }) => value);
}

async function read<Row extends object>(pool: Pool, statement: QueryConfig): Promise<Row[]> {
  return (await pool.query<Row & Record<string, unknown>>(statement)).rows;
}

/** Returns the ids of the firms on each server. Jobs of no firm are stored under 0. */
async function firmsOfServers(pool: Pool): Promise<{ server: number; firms: number[] }[]> {
  const { rows } = await pool.query<{ server: number; firms: number[] }>(
    `select n.nodeid as server, array_agg(f.id) as firms from (select id from workspaces union all select 0) as f
     join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('tickets', f.id)
     join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
     group by n.nodeid`,
  );
  return rows;
}
