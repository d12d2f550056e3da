import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { VerbContext } from './context.ts';
import type { Services } from './services.ts';

/** Runs a verb for a job or a command: a manager of its own, one transaction, committed when it returns. */
export async function withTransaction<T>(
  services: Services,
  verb: (ctx: VerbContext) => Promise<T>,
): Promise<T> {
  const em = services.orm.em.fork() as SqlEntityManager;
  const ctx: VerbContext = { services, em, now: services.clock.now() };
  await em.begin();
  try {
    const result = await verb(ctx);
    await em.commit();
    return result;
  } catch (error) {
    if (em.isInTransaction()) await em.rollback();
    throw error;
  }
}
