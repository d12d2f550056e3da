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
import { ExtendedQuery } from './extended-query.ts';

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

/** Returns the parsers of a pool's connections. */
function typesOf({ options }: Pool): CustomTypesConfig {
  return options.types ?? types;
}
