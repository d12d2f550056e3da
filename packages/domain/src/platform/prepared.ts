import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { type BatchStatement, StatementBatch } from './statement-batch.ts';
import { checkPoolStatements, checkStatement } from './statement-check.ts';

/** {@link prepared} for a statement that is not built with `sql`. */
export const PREPARED = '/* prepared */ ';
const DEFERRED = '/* deferred */ ';

/**
 * Marks a statement to be prepared: ``sql`${prepared} insert …` ``. Each connection then parses and plans it once. For frequent
 * statements whose best plan does not depend on the values, and with few variants of their text: a connection stores each. Lists the
 * columns of its result: with `*`, it would fail after a migration that adds a column. Tests check it.
 */
export const prepared = sql.raw(PREPARED);

/**
 * Marks a statement to be prepared, and to be sent together with the next statement of its transaction, at the latest with
 * `commit`: ``sql`${deferred} insert …` `` costs no round trip. Its error is thrown by the statement that it is sent with. Its
 * result is empty until then (see {@link executeTogether}), and has no row count. Its values must be primitives, dates, buffers,
 * or arrays of these.
 */
export const deferred = sql.raw(DEFERRED);

/**
 * Executes two statements of a transaction in one round trip, in this order, and returns the rows of each. Both are prepared. The second
 * sees what others had committed while the first waited for a lock.
 */
export async function executeTogether<First, Second>(
  db: QueryExecutorProvider,
  first: RawBuilder<First>,
  second: RawBuilder<Second>,
): Promise<[First[], Second[]]> {
  const { rows } = await sql<First>`${deferred} ${first}`.execute(db);
  const last = await sql<Second>`${prepared} ${second}`.execute(db);
  return [rows, last.rows];
}

/**
 * Gives effect to the marks on a pool's connections. Also sends `begin` together with the first statement of its transaction, so
 * that it costs no round trip.
 */
export function applyMarks(pool: Pool): void {
  checkPoolStatements(pool);
  pool.on('connect', (client: PoolClient) => {
    const statements = new TransactionStatements(client);
    client.query = ((...args: [unknown, unknown]) => statements.query(...args)) as PoolClient['query'];
  });
}

type Query = (...args: unknown[]) => Promise<QueryResult>;

const BEGIN: BatchStatement = { name: 'begin', text: 'begin' };
const COMMIT: BatchStatement = { name: 'commit', text: 'commit' };

/** Returns whether a text only begins a transaction, with a mode or without. */
function isBegin({ text }: BatchStatement): boolean {
  return /^begin[a-z ,]*$/.test(text);
}

/** Returns the result of a statement that is sent later. */
function emptyResult(): QueryResult {
  return { command: '', rowCount: null, oid: 0, fields: [], rows: [] };
}

/** Collects the deferred statements of a connection's transaction, and sends them with the next statement. */
class TransactionStatements {
  readonly #client: PoolClient;
  readonly #query: Query;
  #isOpen = false;
  #pending: BatchStatement[] = [];

  constructor(client: PoolClient) {
    this.#client = client;
    this.#query = client.query.bind(client) as Query;
  }

  query(text: unknown, values?: unknown, ...rest: unknown[]): unknown {
    // A cursor, or a statement with a callback or a configuration of its own.
    if (typeof text !== 'string' || rest.length > 0) {
      // A pool passes a callback, and has checked the statement.
      if (typeof (rest[0] ?? values) !== 'function') checkStatement(text);
      this.#sendPending()?.catch(() => {});
      return this.#query(text, values, ...rest);
    }
    const isDeferred = text.startsWith(DEFERRED);
    const isPrepared = isDeferred || text.startsWith(PREPARED);
    const statement: BatchStatement = {
      name: isPrepared ? nameOf(text) : undefined,
      text,
      values: (values ?? []) as unknown[],
    };
    checkStatement(statement);
    if (isDeferred && this.#isOpen) return this.#defer(statement);
    if (isPrepared) return this.#send(statement);
    if (isBegin(statement)) {
      this.#isOpen = true;
      return this.#defer(text === BEGIN.text ? BEGIN : statement);
    }
    if (text === COMMIT.text) return this.#commit();
    if (text === 'rollback') return this.#rollback();
    // A text without values may contain several statements, and a batch cannot contain it.
    if (statement.values!.length === 0) return this.#sendAlone(text);
    return this.#send(statement);
  }

  async #defer(statement: BatchStatement): Promise<QueryResult> {
    for (const value of statement.values ?? []) ensureSimple(value);
    const result = emptyResult();
    this.#pending.push({ ...statement, rows: result.rows });
    return result;
  }

  #send(statement: BatchStatement): Promise<QueryResult> {
    if (this.#pending.length === 0 && statement.name === undefined) return this.#query({ ...statement });
    this.#pending.push(statement);
    return this.#sendPending()!;
  }

  #sendPending(): Promise<QueryResult> | undefined {
    if (this.#pending.length === 0) return undefined;
    const batch = new StatementBatch(this.#client, this.#pending);
    this.#pending = [];
    void this.#query(batch);
    return batch.result;
  }

  async #sendAlone(text: string): Promise<QueryResult> {
    await this.#sendPending();
    return this.#query(text);
  }

  async #commit(): Promise<QueryResult> {
    this.#isOpen = false;
    const isEmpty = this.#pending.length === 1 && isBegin(this.#pending[0]!);
    if (!isEmpty) return this.#send(COMMIT);
    this.#pending = [];
    return emptyResult();
  }

  async #rollback(): Promise<QueryResult> {
    this.#isOpen = false;
    const hasBegun = this.#pending.length === 0 || !isBegin(this.#pending[0]!);
    this.#pending = [];
    return hasBegun ? this.#query('rollback') : emptyResult();
  }
}

/** Throws for a value that `pg` might fail to serialize: a batch is not sent in part. */
function ensureSimple(value: unknown): void {
  const isSimple =
    typeof value !== 'object' || value === null || value instanceof Date || value instanceof Uint8Array;
  if (isSimple) return;
  if (!Array.isArray(value)) throw new TypeError('A deferred statement takes no object: serialize it.');
  for (const item of value) ensureSimple(item);
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `marked-${names.size + 1}`;
    names.set(text, name);
  }
  return name;
}
