import {
  type CustomTypesConfig,
  type Pool,
  type QueryArrayConfig,
  type QueryArrayResult,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
  type Submittable,
  types,
} from 'pg';
import type { DataRow } from './data-row.ts';
import { ExtendedQuery, type Statement } from './extended-query.ts';

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
  if (typeof statement === 'string' || statement.name === undefined) return pool.query(statement, values);
  const query = new ExtendedQuery({ ...statement, values: values ?? statement.values }, typesOf(pool));
  return pool.query(query as Submittable) as unknown as Promise<QueryResult>;
}

/**
 * {@link queryPool} for thousands of rows. `onRow` gets each when it arrives, while PostgreSQL still sends others, and reads the columns
 * that it needs.
 */
export async function queryPoolRows(
  pool: Pool,
  statement: Statement,
  onRow: (row: DataRow) => void,
): Promise<void> {
  await pool.query(new ExtendedQuery({ ...statement, onRow }, typesOf(pool)) as Submittable);
}

/** Returns the parsers of a pool's connections. */
function typesOf({ options }: Pool): CustomTypesConfig {
  return options.types ?? types;
}
