import type { OperationContext } from '../../database/context.ts';
import { afterCommit } from './after-commit.ts';

/**
 * Sends a signal to every process after the caller's transaction has committed. Not `NOTIFY` in the transaction: PostgreSQL
 * commits transactions with notifications one after another.
 */
export function sendSignal(
  {
    em,
    services,
  }: Pick<OperationContext, 'em'> & { services: Pick<OperationContext['services'], 'signals'> },
  kind: string,
  id: string | number,
): void {
  afterCommit(em, () => services.signals.send(kind, id));
}
