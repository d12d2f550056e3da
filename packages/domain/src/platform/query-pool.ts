import type {
  Pool,
  QueryArrayConfig,
  QueryArrayResult,
  QueryConfig,
  QueryResult,
  QueryResultRow,
  Submittable,
} from 'pg';
import { type NamedStatement, PreparedQuery } from './prepared-query.ts';

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
  if (typeof statement === 'string' || statement.name === undefined || 'rowMode' in statement)
    return pool.query(statement, values);
  return queryObjects(pool, { ...(values && { values }), ...statement, name: statement.name });
}

/** Runs a prepared statement. Its rows are read as arrays and made objects here, which takes less time than the library's objects. */
async function queryObjects(pool: Pool, statement: NamedStatement): Promise<QueryResult> {
  const query = new PreparedQuery(statement);
  const result = (await pool.query(query as Submittable)) as unknown as QueryArrayResult;
  return Object.assign(result, { rows: query.objectsOf(result.rows) });
}
