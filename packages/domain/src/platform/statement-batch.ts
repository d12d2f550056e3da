import {
  type Connection,
  type PoolClient,
  Query,
  type QueryConfig,
  type QueryResult,
  type Submittable,
} from 'pg';
import { type NamedStatement, PreparedQuery } from './prepared-query.ts';

export interface Statement extends Pick<QueryConfig<unknown[]>, 'name' | 'text' | 'values'> {
  /** Where the rows of its result are added. */
  rows?: unknown[];
}

/** What `pg` calls on a query, besides `submit`. Its type declarations omit it. */
interface Handlers {
  name?: string;
  text: string;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
}

type HandledQuery = Submittable & Handlers;

/**
 * Several statements that are sent together and answered together, in one round trip. After one that fails, the server skips the
 * others. To `pg` it is one query, as a cursor is.
 */
export class StatementBatch implements Submittable {
  /** The result of the last statement, or the error of the first that failed. */
  readonly result: Promise<QueryResult>;
  readonly statements: readonly Statement[];
  readonly #queries: HandledQuery[];
  /** The index of the statement to which the server's next message belongs. */
  #current = 0;

  constructor(client: PoolClient, statements: readonly Statement[]) {
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult>();
    this.result = promise;
    this.statements = statements;
    this.#queries = statements.map(({ rows, ...statement }, i) =>
      // A client has the parsers of its types.
      toQuery({ ...statement, types: client }, (error, result) => {
        if (error) return reject(error);
        for (const row of result.rows) rows?.push(row);
        if (i === statements.length - 1) resolve(result);
      }),
    );
  }

  /** `pg` records under this name that the server has parsed the {@link text}. */
  get name(): string | undefined {
    return this.#query.name;
  }

  get text(): string {
    return this.#query.text;
  }

  submit(connection: Connection): void {
    const silent = withoutSync(connection);
    connection.stream.cork();
    for (const query of this.#queries) query.submit(silent);
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription(message: unknown): void {
    this.#query.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.#query.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    this.#query.handleCommandComplete(message, connection);
    if (this.#current < this.#queries.length - 1) this.#current++;
  }

  handleError(error: Error, connection: Connection): void {
    this.#query.handleError(error, connection);
    // The server has skipped these, so that they are not parsed.
    const { submittedNamedStatements } = connection as Connection & {
      submittedNamedStatements?: Record<string, string>;
    };
    for (const { name } of this.#queries.slice(this.#current)) {
      if (name) delete submittedNamedStatements?.[name];
    }
  }

  handleReadyForQuery(connection: Connection): void {
    for (const query of this.#queries) query.handleReadyForQuery(connection);
  }

  get #query(): HandledQuery {
    return this.#queries[this.#current]!;
  }
}

/** Creates the query of a statement in the extended protocol: the simple one has no batches. */
function toQuery(
  statement: QueryConfig,
  done: (error: Error | undefined, result: QueryResult) => void,
): HandledQuery {
  const config = { ...statement, queryMode: 'extended' };
  if (!config.name) return new Query(config, done as never) as unknown as HandledQuery;
  const query = new PreparedQuery(config as NamedStatement, (error, result) => {
    if (error) done(error, result);
    else done(undefined, Object.assign(result, { rows: query.objectsOf(result.rows) }));
  });
  return query;
}

const silent = new WeakMap<Connection, Connection>();

/** Returns the connection without its message that ends a batch. */
function withoutSync(connection: Connection): Connection {
  let view = silent.get(connection);
  if (!view) {
    view = Object.create(connection, { sync: { value: () => {} } }) as Connection;
    silent.set(connection, view);
  }
  return view;
}
