import {
  type Connection,
  Query,
  type QueryArrayConfig,
  type QueryArrayResult,
  type QueryResultRow,
} from 'pg';

/** A statement with a name. */
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
  text: string;
  _result: Omit<Columns, 'read'>;
  _accumulateRows: boolean;
  /** Returns an error if it sent nothing. */
  submit(connection: Connection): Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
}

type Done = (error: Error | undefined, result: QueryArrayResult) => void;

const PgQuery = Query as unknown as new (config: QueryArrayConfig, done?: Done) => PgQuery;

/** The columns of the statements that a connection has parsed, by name. The server rejects a statement whose columns have changed. */
const known = new WeakMap<object, Map<string, Columns>>();

/**
 * One execution of a prepared statement, whose rows are arrays. The server describes the columns only with the first on a connection. The
 * driver alone would ask each time, and spend a twentieth of the gateway's time for a page of tickets on it.
 */
export class PreparedQuery extends PgQuery {
  #columns: Columns | undefined;
  #ofConnection = new Map<string, Columns>();

  constructor(statement: NamedStatement, done?: Done) {
    super({ ...statement, rowMode: 'array' }, done);
  }

  override submit(connection: Connection): Error | null {
    this.#ofConnection = columnsOf(connection);
    this.#columns = this.#ofConnection.get(this.name);
    if (!this.#columns) return super.submit(connection);
    const { fields, _parsers } = this.#columns;
    this._accumulateRows = true;
    Object.assign(this._result, { fields, _parsers });
    return super.submit(withoutDescribe(connection));
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message);
    const { fields, _parsers } = this._result;
    this.#remember({ fields, _parsers, read: rowReader(fields) });
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    super.handleCommandComplete(message, connection);
    // The statement returns no rows.
    if (!this.#columns) this.#remember({ fields: [], _parsers: [], read: () => ({}) });
  }

  #remember(columns: Columns): void {
    this.#columns = columns;
    this.#ofConnection.set(this.name, columns);
  }

  /** Returns the rows of the result as objects. */
  objectsOf(rows: readonly unknown[][]): QueryResultRow[] {
    return this.#columns ? rows.map(this.#columns.read) : [];
  }
}

function columnsOf(connection: Connection): Map<string, Columns> {
  const { parsedStatements } = connection as Connection & { parsedStatements: object };
  const columns = known.get(parsedStatements) ?? new Map<string, Columns>();
  known.set(parsedStatements, columns);
  return columns;
}

const silent = new WeakMap<Connection, Connection>();

/** Returns the connection without its message that asks for a description of columns. */
function withoutDescribe(connection: Connection): Connection {
  let view = silent.get(connection);
  if (!view) {
    view = Object.create(connection, {
      describe: { value: () => {} },
      // What it records belongs to the connection.
      sync: { value: () => connection.sync() },
    }) as Connection;
    silent.set(connection, view);
  }
  return view;
}

/** Returns a function that makes an object of a row: as text, so that all rows have one hidden class. */
function rowReader(fields: Columns['fields']): Columns['read'] {
  const members = fields.map(({ name }, i) => `${JSON.stringify(name)}: v[${i}]`);
  return new Function('v', `return { ${members.join(', ')} }`) as Columns['read'];
}
