import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { PoolClient } from 'pg';
import { sqlOfClient } from './client-sql.ts';
import type { OperationContext } from './context.ts';
import { createEntityManager, hasEntities } from './database.ts';
import type { Services } from './services.ts';
import { discardActions, runActions } from './signals/after-commit.ts';

/** Creates a context outside of any transaction, for a job or a command. */
export function newContext(services: Services): OperationContext {
  return { services, em: createEntityManager(services.orm), now: services.clock.now() };
}

/**
 * Runs an operation of a job or a command in a transaction, which commits when the operation returns. `mode` is that of `begin`, for
 * example `isolation level repeatable read`.
 */
export async function withTransaction<T>(
  services: Services,
  operation: (ctx: OperationContext) => Promise<T>,
  mode?: string,
): Promise<T> {
  const ctx = newContext(services);
  const transaction = await Transaction.begin(ctx, mode);
  try {
    const result = await operation(ctx);
    await transaction.commit();
    return result;
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

/**
 * A transaction on a connection of the main pool, until it commits or rolls back. All statements of its manager, and of Kysely by
 * `sqlOf(em)`, are part of it. Not the manager's own `begin`, which costs more than a statement (docs/decisions/0024-data-access.md).
 */
export class Transaction {
  readonly #em: SqlEntityManager;
  #client: PoolClient | null;

  private constructor(em: SqlEntityManager, client: PoolClient) {
    this.#em = em;
    this.#client = client;
  }

  static async begin(
    { services, em }: Pick<OperationContext, 'em'> & { services: Pick<Services, 'pool'> },
    mode = '',
  ): Promise<Transaction> {
    const client = await services.pool.connect();
    em.setTransactionContext(sqlOfClient(client));
    // Sent with the first statement.
    await client.query(`begin ${mode}`.trimEnd());
    return new Transaction(em, client);
  }

  /** Writes the changed entities of the manager, commits, and then runs what waits for the commit (`afterCommit`). */
  async commit(): Promise<void> {
    if (hasEntities(this.#em)) await this.#em.flush();
    await this.#client!.query('commit');
    this.#end();
    runActions(this.#em);
  }

  /** Does nothing after the end of the transaction, and does not reject: a connection on which it fails is closed. */
  async rollback(): Promise<void> {
    discardActions(this.#em);
    try {
      await this.#client?.query('rollback');
      this.#end();
    } catch (error) {
      this.#end(error as Error);
    }
  }

  #end(error?: Error): void {
    this.#em.resetTransactionContext();
    this.#client?.release(error);
    this.#client = null;
  }
}
