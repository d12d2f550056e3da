import type { Connection, PoolClient, Submittable } from 'pg';
import {
  ExtendedQuery,
  type Statement,
  type StatementResult,
  type WireConnection,
} from './extended-query.ts';

/** A statement of a batch. */
export interface BatchStatement extends Statement {
  /** Where the rows of its result are added. */
  rows?: unknown[] | undefined;
}

/**
 * Several statements that are sent together and answered together, in one round trip. After one that fails, the server skips the
 * others. To `pg` it is one query, as a cursor is.
 */
export class StatementBatch implements Submittable {
  /** The result of the last statement, or the error of the first that failed. */
  readonly result: Promise<StatementResult>;
  readonly statements: readonly Statement[];
  readonly #queries: ExtendedQuery[];
  /** The index of the statement to which the server's next message belongs. */
  #current = 0;

  /** Throws if a value cannot be serialized. */
  constructor(client: PoolClient, statements: readonly BatchStatement[]) {
    const { promise, resolve, reject } = Promise.withResolvers<StatementResult>();
    this.result = promise;
    this.statements = statements;
    const last = statements.length - 1;
    this.#queries = statements.map(
      (statement, i) =>
        // A client has the parsers of its types.
        new ExtendedQuery(statement, client, (error, result) => {
          if (error) return reject(error);
          for (const row of result!.rows) statement.rows?.push(row);
          if (i === last) resolve(result!);
        }),
    );
  }

  get name(): string | undefined {
    return this.#query.name;
  }

  get text(): string {
    return this.#query.text;
  }

  submit(connection: Connection): void {
    connection.stream.cork();
    for (const query of this.#queries) query.send(connection as WireConnection);
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription(message: Parameters<ExtendedQuery['handleRowDescription']>[0]): void {
    this.#query.handleRowDescription(message);
  }

  handleDataRow(message: Parameters<ExtendedQuery['handleDataRow']>[0]): void {
    this.#query.handleDataRow(message);
  }

  handleCommandComplete(message: Parameters<ExtendedQuery['handleCommandComplete']>[0]): void {
    this.#query.handleCommandComplete(message);
    if (this.#current < this.#queries.length - 1) this.#current++;
  }

  handleError(error: Error, connection: Connection): void {
    this.#query.handleError(error);
    // The server has skipped these, so that they are not parsed.
    const { submittedNamedStatements } = connection as WireConnection;
    for (const { name } of this.#queries.slice(this.#current)) {
      if (name !== undefined) delete submittedNamedStatements[name];
    }
  }

  handleReadyForQuery(): void {
    for (const query of this.#queries) query.handleReadyForQuery();
  }

  get #query(): ExtendedQuery {
    return this.#queries[this.#current]!;
  }
}
