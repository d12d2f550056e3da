import { sql } from 'kysely';
import type { Pool, PoolClient } from 'pg';

const MARK = '/* prepared */ ';

/**
 * Marks a statement to be prepared: ``sql`${prepared} insert …` ``. Each connection then parses and plans it once. For frequent
 * statements whose best plan does not depend on the values, and with few variants of their text: a connection stores each.
 */
export const prepared = sql.raw(MARK);

const names = new Map<string, string>();

/** Gives the marked statements of a pool's connections a name, so that `pg` prepares them. */
export function prepareMarked(pool: Pool): void {
  pool.on('connect', (client: PoolClient) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const named = (text: unknown, values: unknown, ...rest: unknown[]) =>
      typeof text === 'string' && text.startsWith(MARK)
        ? query({ name: nameOf(text), text, values }, ...rest)
        : query(text, values, ...rest);
    client.query = named as PoolClient['query'];
  });
}

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `marked-${names.size + 1}`;
    names.set(text, name);
  }
  return name;
}
