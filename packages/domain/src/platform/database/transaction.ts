import type { Services } from '../services.ts';
import type { OperationContext } from './context.ts';
import { sqlOf } from './database.ts';

interface TransactionOptions {
  /** Whether the work only reads, and sees the database as it was at its first statement. */
  isSnapshot?: boolean;
}

/** Creates a context outside of any transaction, for a job or a command. */
export function newContext(services: Services): OperationContext {
  const { orm } = services;
  return {
    services,
    em: orm.em.fork(),
    db: sqlOf(orm),
    now: services.clock.now(),
    afterCommit: (action) => action(),
  };
}

/** Runs an operation of a job or a command in a transaction, which commits when the operation returns. */
export async function withTransaction<T>(
  services: Services,
  operation: (ctx: OperationContext) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  return await inTransaction(newContext(services), operation, options);
}

/**
 * Runs work in a transaction on a connection of the main pool. The work gets the context with its `em` and `db` in the transaction. When it
 * returns, writes the changed entities of the manager, commits, and runs what waits for the commit (`afterCommit`). When it throws, rolls
 * back and throws the same error. The manager's own transactions would keep the connection for ever if `begin`, `commit` or `rollback` fails.
 */
export async function inTransaction<Context extends OperationContext, T>(
  ctx: Context,
  work: (ctx: Context) => Promise<T>,
  { isSnapshot = false }: TransactionOptions = {},
): Promise<T> {
  const { em, db } = ctx;
  let failure: { error: unknown } | undefined;
  const actions: (() => void)[] = [];
  const transaction = db.transaction();
  const begin = isSnapshot
    ? transaction.setIsolationLevel('repeatable read').setAccessMode('read only')
    : transaction;
  try {
    const result = await begin.execute(async (trx) => {
      em.setTransactionContext(trx);
      try {
        const returned = await work({ ...ctx, db: trx, afterCommit: (action) => void actions.push(action) });
        await em.flush();
        return returned;
      } catch (error) {
        failure = { error };
        throw error;
      }
    });
    em.resetTransactionContext();
    for (const action of actions) action();
    return result;
  } catch (error) {
    em.resetTransactionContext();
    // On a lost connection, `rollback` fails as well.
    throw failure ? failure.error : error;
  }
}
