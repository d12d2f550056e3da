import type { SetServiceTargetsInput } from '@firmdesk/contract';
import { outbox } from '../outbox/outbox.ts';
import { firm } from '../session/firm.ts';
import { type StoredValue, storedValue } from '../stored-value.ts';

let rejected: StoredValue<readonly SetServiceTargetsInput[] | null> | null = null;

/** The service targets that the account has saved without a network and the service has rejected, oldest first. Null if there are none. */
export function rejectedTargets(): StoredValue<readonly SetServiceTargetsInput[] | null> {
  rejected ??= storedValue(`rejectedTargets.${firm}.${outbox().userId}`, (stored) =>
    Array.isArray(stored) ? stored : null,
  );
  return rejected;
}

/** Keeps rejected targets, so that their form shows what was typed. */
export function putBackTargets(input: object): void {
  const stored = rejectedTargets();
  stored.set([...(stored.fresh() ?? []), input as SetServiceTargetsInput]);
}
