import type { Pool, QueryConfig, QueryResult, QueryResultRow } from 'pg';

/**
 * Runs one statement on a connection of the pool, outside of any transaction. A statement with a `name` is parsed and planned
 * once per connection.
 */
export function queryPool<Row extends QueryResultRow = QueryResultRow>(
  pool: Pool,
  statement: string | QueryConfig,
  values?: unknown[],
): Promise<QueryResult<Row>> {
  return pool.query<Row>(statement, values);
}
