import pg, {
  type Connection,
  type CustomTypesConfig,
  type FieldDef,
  type QueryArrayResult,
  type QueryResult,
  type QueryResultRow,
  type Submittable,
} from 'pg';

/** A statement with its values. One with a name is prepared: each connection parses and plans it once. */
export interface Statement {
  name?: string | undefined;
  text: string;
  values?: readonly unknown[] | undefined;
  /** `array`: a row is an array of its columns. */
  rowMode?: 'array' | undefined;
}

export type StatementResult = QueryResult & QueryArrayResult;

/** A value as it is sent. */
type Value = string | Buffer | null;

/** Gets the result, or the error. */
export type Done = (error: Error | null, result?: StatementResult) => void;

/** The parsers of columns by type, as a client or a pool has them. */
type Types = Pick<CustomTypesConfig, 'getTypeParser'>;

/** The members of a connection of `pg` that its types omit. */
export interface WireConnection extends Connection {
  /** The texts of the named statements that the server has parsed, and of those that were sent to it. */
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
}

interface Columns {
  fields: FieldDef[];
  /** Makes the object or the array of a row from the texts of its columns. */
  readRow: (texts: (string | null)[]) => QueryResultRow & unknown[];
}

/** The columns of the statements that a connection has parsed, by name. The server rejects a statement whose columns have changed. */
const known = new WeakMap<object, Map<string, Columns>>();

const NO_COLUMNS: Columns = { fields: [], readRow: () => [] as never };

/**
 * One execution of a statement in PostgreSQL's extended protocol. To `pg` it is a query, but takes a fraction of the time of the library's
 * own: it emits no events, and the server describes the columns of a prepared statement only with the first execution on a
 * connection.
 */
export class ExtendedQuery implements Submittable {
  /** `pg` records under this name that the server has parsed the text. */
  readonly name: string | undefined;
  readonly text: string;
  /** A pool sets it. */
  callback: Done | undefined;
  readonly values: readonly unknown[];
  readonly #sent: Value[];
  readonly #isArray: boolean;
  readonly #types: Types;
  #columnsByName: Map<string, Columns> | undefined;
  #columns: Columns | undefined;
  #tag = '';
  readonly #rows: (QueryResultRow & unknown[])[] = [];
  #error: Error | undefined;

  /** Throws if a value cannot be serialized. */
  constructor({ name, text, values, rowMode }: Statement, types: Types, callback?: Done) {
    this.name = name;
    this.text = text;
    this.callback = callback;
    this.values = values ?? [];
    this.#sent = this.values.map((value) => toText(value));
    this.#isArray = rowMode === 'array';
    this.#types = types;
  }

  submit(connection: Connection): Error | null {
    const { parsedStatements, submittedNamedStatements } = connection as WireConnection;
    const { name = '' } = this;
    const other = parsedStatements[name] ?? submittedNamedStatements[name];
    if (other !== undefined && other !== this.text)
      return new Error(`Two statements have the name ${name}. Give each a name of its own.`);
    connection.stream.cork();
    this.send(connection as WireConnection);
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  /** Sends the statement without the message that ends a batch. */
  send(connection: WireConnection): void {
    const { name = '', text } = this;
    if (name !== '') {
      this.#columnsByName = columnsOf(connection);
      this.#columns = this.#columnsByName.get(name);
    }
    const { parsedStatements, submittedNamedStatements } = connection;
    const isParsed = name !== '' && (name in parsedStatements || name in submittedNamedStatements);
    if (!isParsed) {
      connection.parse({ name, text, types: [] }, true);
      if (name !== '') submittedNamedStatements[name] = text;
    }
    connection.bind({ statement: name, values: this.#sent }, true);
    if (!this.#columns) connection.describe({ type: 'P', name: '' }, true);
    connection.execute({}, true);
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    const parsers = fields.map(({ dataTypeID }) => this.#types.getTypeParser(dataTypeID, 'text') as Parser);
    const readerOf = this.name === undefined ? plainReader : compiledReader;
    this.#remember({ fields, readRow: readerOf(fields, parsers, this.#isArray) });
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#error) return;
    try {
      this.#rows.push(this.#columns!.readRow(fields));
    } catch (error) {
      this.#error = error as Error;
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#tag = text;
    // The server describes no columns of a statement that returns no rows.
    if (!this.#columns) this.#remember(NO_COLUMNS);
  }

  handleError(error: Error): void {
    this.callback?.(error);
  }

  handleReadyForQuery(): void {
    if (this.#error) {
      this.handleError(this.#error);
      return;
    }
    const { command, rowCount } = readTag(this.#tag);
    this.callback?.(null, { command, rowCount, oid: 0, fields: this.#columns!.fields, rows: this.#rows });
  }

  #remember(columns: Columns): void {
    this.#columns = columns;
    this.#columnsByName?.set(this.name!, columns);
  }
}

function columnsOf({ parsedStatements }: WireConnection): Map<string, Columns> {
  const columns = known.get(parsedStatements) ?? new Map<string, Columns>();
  known.set(parsedStatements, columns);
  return columns;
}

/** Returns a value as `pg` sends it. */
const { prepareValue: toText } = (pg as unknown as { utils: { prepareValue(value: unknown): Value } }).utils;

/** Returns the command of a tag, and how many rows it changed or returned: of `INSERT 0 2` the two. */
function readTag(tag: string): { command: string; rowCount: number | null } {
  const [command] = tag.split(' ', 1);
  const count = Number(tag.slice(tag.lastIndexOf(' ') + 1));
  return { command: command!, rowCount: Number.isNaN(count) ? null : count };
}

type Parser = (text: string) => unknown;

/** Returns texts as they are. */
const parseText: unknown = pg.types.getTypeParser(25);

/** Returns a function that reads a row of a statement without a name. Compiling code for a single execution would take longer. */
function plainReader(fields: readonly FieldDef[], parsers: readonly Parser[], isArray: boolean) {
  return ((texts) => {
    const values = texts.map((text, i) => (text === null ? null : parsers[i]!(text)));
    return isArray ? values : Object.fromEntries(fields.map(({ name }, i) => [name, values[i]]));
  }) as Columns['readRow'];
}

/** Returns a function that reads a row of a prepared statement: as code, so that all rows have one hidden class. */
function compiledReader(fields: readonly FieldDef[], parsers: readonly Parser[], isArray: boolean) {
  const values = parsers.map((parser, i) =>
    parser === parseText ? `v[${i}]` : `v[${i}] === null ? null : p[${i}](v[${i}])`,
  );
  const body = isArray
    ? `[${values.join(', ')}]`
    : `{ ${fields.map(({ name }, i) => `${JSON.stringify(name)}: ${values[i]}`).join(', ')} }`;
  return new Function('p', `return (v) => (${body})`)(parsers) as Columns['readRow'];
}
