import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { Services } from './services.ts';

/**
 * The context of an operation. Jobs and commands create one with `withTransaction`. `em`, and Kysely by `sqlOf(em)`, use the
 * transaction of the call or job. `now` does not change during the operation.
 */
export interface OperationContext {
  services: Services;
  em: SqlEntityManager;
  now: Date;
}
