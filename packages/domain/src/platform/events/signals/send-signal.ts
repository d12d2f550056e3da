import type { OperationContext } from '../../database/context.ts';

/**
 * Sends a signal to every process after the caller's transaction has committed. Not `NOTIFY` in the transaction: PostgreSQL
 * commits transactions with notifications one after another.
 */
export function sendSignal(
  { services, afterCommit }: Pick<OperationContext, 'services' | 'afterCommit'>,
  kind: string,
  id: string | number,
): void {
  afterCommit(() => services.signals.send(kind, id));
}
