import type { EventSubscriber, SqlEntityManager, TransactionEventArgs } from '@mikro-orm/postgresql';

const actions = new WeakMap<object, (() => void)[]>();

/** Calls the action when the manager's transaction has committed, and never if it does not; immediately without a transaction. */
export function afterCommit(em: SqlEntityManager, action: () => void): void {
  if (!em.isInTransaction()) {
    action();
    return;
  }
  const ofTransaction = actions.get(em) ?? [];
  actions.set(em, ofTransaction);
  ofTransaction.push(action);
}

/** Calls the actions of {@link afterCommit}. */
export const afterCommitSubscriber: EventSubscriber = {
  // Actions of an earlier transaction that did not commit.
  async afterTransactionStart({ em }: TransactionEventArgs) {
    actions.delete(em);
  },
  async afterTransactionCommit({ em }: TransactionEventArgs) {
    const ofTransaction = actions.get(em);
    actions.delete(em);
    for (const action of ofTransaction ?? []) action();
  },
};
