import type { Pool, QueryArrayConfig, QueryArrayResult, QueryConfig, QueryResult, QueryResultRow } from 'pg';

/**
 * Runs one statement on a connection of the pool, outside of any transaction. A statement with a `name` is parsed and planned
 * once per connection. With `rowMode: 'array'`, a row is an array of its columns.
 */
export function queryPool<Row extends unknown[]>(
  pool: Pool,
  statement: QueryArrayConfig,
): Promise<QueryArrayResult<Row>>;
export function queryPool<Row extends QueryResultRow = QueryResultRow>(
  pool: Pool,
  statement: string | QueryConfig,
  values?: unknown[],
): Promise<QueryResult<Row>>;
export function queryPool(pool: Pool, statement: string | QueryConfig, values?: unknown[]) {
  return pool.query(statement, values);
}
