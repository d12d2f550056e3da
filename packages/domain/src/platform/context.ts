import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { Services } from './services.ts';

/** Who caused an operation: an operator by name, an account by id, or the system itself. */
export type Actor = { kind: 'operator' | 'account'; id: string } | { kind: 'system'; id: null };

/**
 * The context of an operation. Jobs and commands create one with `withTransaction`. `em`, and Kysely by `sqlOf(em)`, use the
 * transaction of the call or job. `now` does not change during the operation.
 */
export interface OperationContext {
  services: Services;
  em: SqlEntityManager;
  now: Date;
  /** Recorded in the audit trail; by default the system. */
  actor?: Actor | undefined;
}
