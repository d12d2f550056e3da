import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { Services } from './services.ts';

/**
 * What an operation works with. Jobs and commands make one too (`withTransaction`). `em` is inside the unit of work's
 * transaction (plain SQL too: `sqlOf(em)`); `now` is one moment for the whole call.
 */
export interface OperationContext {
  services: Services;
  em: SqlEntityManager;
  now: Date;
}
