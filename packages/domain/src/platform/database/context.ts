import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { Services } from '../services.ts';
import type { Sql } from './database.ts';

/** Who caused an operation: an operator by name, an account by id, or the system itself. */
export type Actor = { kind: 'operator' | 'account'; id: string } | { kind: 'system'; id: null };

/**
 * What makes the service change a ticket by itself. The rules of `chain` have run before, and must not run again for what this one causes.
 * `depth`: how many events led to it.
 */
export type Cause =
  | { kind: 'assignment'; mode: string }
  | { kind: 'rule'; id: string; chain: readonly string[]; depth: number };

/**
 * The context of an operation. A mutation, and `withTransaction` for jobs and commands, give it one whose `em` and `db` are in the
 * transaction. Outside of a transaction, each statement of `db` takes a connection of the pool. `now` does not change during the operation.
 */
export interface OperationContext {
  services: Services;
  /** For entities: creates, changes and deletes one record by its key. */
  em: SqlEntityManager;
  /** For all other statements. */
  db: Sql;
  now: Date;
  /** Calls the action when the transaction has committed, and never if it does not; immediately outside of a transaction. */
  afterCommit: (action: () => void) => void;
  /** Recorded in the audit trail; by default the system. */
  actor?: Actor | undefined;
  /** Recorded in the history of tickets; by default nothing. */
  cause?: Cause | undefined;
  /** The network of the caller, for the audit trail; absent in jobs and commands. */
  network?: string | undefined;
}
