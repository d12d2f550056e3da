import { type Connection, Query, type QueryArrayConfig, type QueryResultRow } from 'pg';

/** A statement with a name, whose rows are arrays of their columns. */
export interface NamedStatement extends Omit<QueryArrayConfig, 'rowMode'> {
  name: string;
}

/** The columns of a statement as a result of `pg` holds them, and the function that makes an object of a row. */
interface Columns {
  fields: readonly { name: string }[];
  _parsers: unknown;
  read: (values: unknown[]) => QueryResultRow;
}

/** The members of `pg`'s query; its types omit most of them. */
interface PgQuery {
  name: string;
  _result: Omit<Columns, 'read'>;
  _accumulateRows: boolean;
  /** Returns an error if it sent nothing. */
  submit(connection: Connection): Error | null;
  handleRowDescription(message: unknown): void;
}

const PgQuery = Query as unknown as new (config: QueryArrayConfig) => PgQuery;

/** The columns of the statements that a connection has prepared, by name. The server rejects a statement whose columns have changed. */
const known = new WeakMap<Connection, Map<string, Columns>>();

/**
 * One execution of a prepared statement. The server describes the columns only with the first on a connection. The driver alone would ask
 * each time, and spend a twentieth of the gateway's time for a page of tickets on it.
 */
export class PreparedRead extends PgQuery {
  #columns: Columns | null = null;
  #ofConnection = new Map<string, Columns>();

  constructor(statement: NamedStatement) {
    super({ ...statement, rowMode: 'array' });
  }

  override submit(connection: Connection): Error | null {
    this.#ofConnection = known.get(connection) ?? new Map();
    known.set(connection, this.#ofConnection);
    const columns = this.#ofConnection.get(this.name);
    if (!columns) return super.submit(connection);
    this.#columns = columns;
    this._accumulateRows = true;
    Object.assign(this._result, { fields: columns.fields, _parsers: columns._parsers });
    const silent = Object.create(connection, {
      describe: { value: () => {} },
      sync: { value: () => connection.sync() },
    }) as Connection;
    return super.submit(silent);
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message);
    const { fields, _parsers } = this._result;
    this.#columns = { fields, _parsers, read: rowReader(fields) };
    this.#ofConnection.set(this.name, this.#columns);
  }

  /** Returns the rows of the result as objects. */
  objectsOf(rows: readonly unknown[][]): QueryResultRow[] {
    return this.#columns ? rows.map(this.#columns.read) : [];
  }
}

/** Returns a function that makes an object of a row: as text, so that all rows have one hidden class. */
function rowReader(fields: Columns['fields']): Columns['read'] {
  const members = fields.map(({ name }, i) => `${JSON.stringify(name)}: v[${i}]`);
  return new Function('v', `return { ${members.join(', ')} }`) as Columns['read'];
}
