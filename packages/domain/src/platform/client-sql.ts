import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  Kysely,
  type OperationNode,
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
  type QueryId,
  type QueryResult,
  RawNode,
  type RootOperationNode,
  ValueNode,
} from 'kysely';
import type { PoolClient } from 'pg';
import type { Sql } from './database.ts';

const compiler = new PostgresQueryCompiler();
const adapter = new PostgresAdapter();
/** Required by Kysely, which uses it only to open connections of its own. */
const dialect = new PostgresDialect({
  pool: () => Promise.reject(new Error('Kysely on a connection has no pool.')),
});

const known = new WeakMap<PoolClient, Sql>();

/**
 * Returns Kysely on a connection that the caller holds, one for each connection. A statement is passed directly to the connection, which
 * Kysely's own transactions reserve again for each statement.
 */
export function sqlOfClient(client: PoolClient): Sql {
  let sql = known.get(client);
  if (!sql) {
    const executor = new ClientExecutor(client);
    sql = new Kysely({ config: { dialect }, dialect, driver: dialect.createDriver(), executor }) as Sql;
    known.set(client, sql);
  }
  return sql;
}

class ClientExecutor extends DefaultQueryExecutor {
  readonly #client: PoolClient;

  constructor(client: PoolClient) {
    const connection: DatabaseConnection = {
      executeQuery: (query) => execute(client, query),
      streamQuery: () => {
        throw new Error('The driver is not configured for cursors.');
      },
    };
    super(compiler, adapter, { provideConnection: (consumer) => consumer(connection) });
    this.#client = client;
  }

  override compileQuery<Row>(node: RootOperationNode, queryId: QueryId): CompiledQuery<Row> {
    const parameters: unknown[] = [];
    const sql = textOf(node, parameters);
    if (sql === null) return super.compileQuery(node, queryId);
    return { query: node, queryId, sql, parameters };
  }

  override executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return execute(this.#client, query);
  }
}

/**
 * Returns the text of a node, and adds its values to the parameters. Returns null if the node contains more than the texts and values of
 * `sql`; Kysely's compiler takes much longer than these need.
 */
function textOf(node: OperationNode, parameters: unknown[]): string | null {
  if (ValueNode.is(node) && !node.immediate) return `$${parameters.push(node.value)}`;
  if (!RawNode.is(node)) return null;
  const { sqlFragments, parameters: children } = node;
  let text = '';
  for (let i = 0; i < sqlFragments.length; i++) {
    text += sqlFragments[i];
    const child = children[i];
    if (!child) continue;
    const inner = textOf(child, parameters);
    if (inner === null) return null;
    text += inner;
  }
  return text;
}

async function execute<Row>(
  client: PoolClient,
  { sql, parameters }: CompiledQuery,
): Promise<QueryResult<Row>> {
  try {
    const { command, rowCount, rows } = await client.query(sql, parameters as unknown[]);
    const result = { rows: rows as Row[] };
    return isWrite(command) ? { ...result, numAffectedRows: BigInt(rowCount ?? 0) } : result;
  } catch (error) {
    // The stack of the driver's error ends at the socket. This one leads to the operation.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

function isWrite(command: string): boolean {
  return command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE';
}
