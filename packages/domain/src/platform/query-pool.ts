import type {
  FieldDef,
  Pool,
  QueryArrayConfig,
  QueryArrayResult,
  QueryConfig,
  QueryResult,
  QueryResultRow,
} from 'pg';

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
  return queryObjects(pool, statement.name, statement, values);
}

/** Runs a prepared statement. Its rows are read as arrays and made objects here, which takes less time than the library's objects. */
async function queryObjects(
  pool: Pool,
  name: string,
  statement: QueryConfig,
  values?: unknown[],
): Promise<QueryResult> {
  const result = await pool.query<unknown[]>({ ...statement, rowMode: 'array' }, values);
  return Object.assign(result, { rows: result.rows.map(rowReader(name, result.fields)) });
}

type ReadRow = (values: unknown[]) => QueryResultRow;

const readers = new Map<string, { columns: readonly string[]; read: ReadRow }>();

/** Returns the function that makes an object of a row of the statement. */
function rowReader(statement: string, fields: readonly FieldDef[]): ReadRow {
  const known = readers.get(statement);
  const isKnown =
    known?.columns.length === fields.length && fields.every(({ name }, i) => name === known.columns[i]);
  if (known && isKnown) return known.read;
  const columns = fields.map(({ name }) => name);
  const members = columns.map((name, i) => `${JSON.stringify(name)}: v[${i}]`);
  // As text, so that all rows have one hidden class.
  const read = new Function('v', `return { ${members.join(', ')} }`) as ReadRow;
  readers.set(statement, { columns, read });
  return read;
}
