import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { OperationContext } from './context.ts';
import type { Services } from './services.ts';

/** Creates a context outside of any transaction, for a job or a command. */
export function newContext(services: Services): OperationContext {
  return { services, em: services.orm.em.fork() as SqlEntityManager, now: services.clock.now() };
}

/** Runs an operation of a job or a command in a transaction, which commits when the operation returns. */
export async function withTransaction<T>(
  services: Services,
  operation: (ctx: OperationContext) => Promise<T>,
): Promise<T> {
  const ctx = newContext(services);
  const { em } = ctx;
  await em.begin();
  try {
    const result = await operation(ctx);
    await em.commit();
    return result;
  } catch (error) {
    if (em.isInTransaction()) await em.rollback();
    throw error;
  }
}
