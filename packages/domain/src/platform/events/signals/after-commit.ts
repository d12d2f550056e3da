import type { SqlEntityManager } from '@mikro-orm/postgresql';

const actions = new WeakMap<object, (() => void)[]>();

/** Calls the action when the manager's transaction has committed, and never if it does not; immediately without a transaction. */
export function afterCommit(em: SqlEntityManager, action: () => void): void {
  if (!em.isInTransaction()) {
    action();
    return;
  }
  const waiting = actions.get(em);
  if (waiting) waiting.push(action);
  else actions.set(em, [action]);
}

/** Calls the actions of a transaction that has committed. */
export function runActions(em: SqlEntityManager): void {
  const waiting = actions.get(em);
  actions.delete(em);
  for (const action of waiting ?? []) action();
}

/** Discards the actions of a transaction that is rolled back. */
export function discardActions(em: SqlEntityManager): void {
  actions.delete(em);
}
