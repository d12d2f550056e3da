import type { ClientBase, Pool } from 'pg';

type StatementCheck = (text: string, isPrepared: boolean) => void;

let check: StatementCheck | undefined;

/** Sets a function that gets each statement before it is sent, and whether it is prepared, and may throw. Tests check statements with it. */
export function setStatementCheck(next: StatementCheck): void {
  check = next;
}

/** Passes a statement to the function of {@link setStatementCheck}, if there is one: a text, or an object that has one. One with a name is prepared. */
export function checkStatement(statement: unknown): void {
  const { text, name } =
    typeof statement === 'string'
      ? { text: statement }
      : ((statement ?? {}) as { text?: unknown; name?: unknown });
  if (typeof text === 'string') check?.(text, name !== undefined);
}

/** Checks each statement that is run by the pool itself. Those of its clients are checked by {@link checkClientStatements}. */
export function checkPoolStatements(pool: Pool): void {
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown;
  pool.query = ((...args: unknown[]) => {
    checkStatement(args[0]);
    return query(...args);
  }) as Pool['query'];
}

/** Checks each statement of a client. */
export function checkClientStatements(client: ClientBase): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: unknown[]) => {
    // A pool passes a callback, and has checked the statement.
    if (typeof args.at(-1) !== 'function') checkStatement(args[0]);
    return query(...args);
  }) as ClientBase['query'];
}
