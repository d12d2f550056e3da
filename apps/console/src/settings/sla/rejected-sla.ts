import type { SetSlaPolicyInput } from '@firmdesk/contract';
import { outbox } from '../../outbox/outbox.ts';
import { firm } from '../../session/firm.ts';
import { type StoredValue, storedValue } from '../../stored-value.ts';

let rejected: StoredValue<readonly SetSlaPolicyInput[] | null> | null = null;

/** The SLA policies that the account has saved without a network and the service has rejected, oldest first. Null if there are none. */
export function rejectedSla(): StoredValue<readonly SetSlaPolicyInput[] | null> {
  rejected ??= storedValue(`rejectedSla.${firm}.${outbox().userId}`, (stored) =>
    Array.isArray(stored) ? stored : null,
  );
  return rejected;
}

/** Keeps rejected targets, so that their form shows what was typed. */
export function putBackSla(input: object): void {
  const stored = rejectedSla();
  stored.set([...(stored.fresh() ?? []), input as SetSlaPolicyInput]);
}
