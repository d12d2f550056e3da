import type { Pool } from 'pg';

/*
 * Each process that is connected to the database shows the version of the schema that it knows in the `application_name` of the
 * connection on which it sends heartbeats: `firmdesk readiness 0012`.
 */

/** Returns the name of a process's connection for heartbeats and `/readyz`, with the number of the latest migration that it knows. */
export function readinessName(schema: string): string {
  return `readiness ${numberOf(schema)}`;
}

/** The connected processes that do not know a migration. */
export interface EarlierProcesses {
  count: number;
  /** Their addresses, if the role may see them. */
  addresses: string[];
}

/** Returns the processes connected to the database that do not know a migration. */
export async function findEarlierProcesses(pool: Pool, migration: string): Promise<EarlierProcesses> {
  // Every role sees the names of all sessions, but perhaps not their addresses.
  const { rows } = await pool.query<{ address: string | null }>(
    `select host(client_addr) as address from pg_stat_activity
     where datname = current_database() and substring(application_name from ' readiness ([0-9]{4})$') < $1`,
    [numberOf(migration)],
  );
  const addresses = rows.flatMap(({ address }) => (address === null ? [] : [address]));
  return { count: rows.length, addresses: [...new Set(addresses)].sort() };
}

function numberOf(migration: string): string {
  return migration.slice(0, 4);
}
