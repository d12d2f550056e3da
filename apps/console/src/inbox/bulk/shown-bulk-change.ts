import { firm } from '../../session/firm.ts';
import { type StoredValue, storedValue } from '../../stored-value.ts';

let stored: StoredValue<string | null> | undefined;
let closed: StoredValue<readonly string[]> | undefined;

/** The id of the bulk change whose progress is shown. It is stored, so that a reload still shows it. */
export function shownBulkChange(): StoredValue<string | null> {
  stored ??= storedValue(`bulk.${firm}`, (value) => (typeof value === 'string' ? value : null));
  return stored;
}

/** The ids of the stopped bulk changes whose report was closed on this device. */
export function closedReports(): StoredValue<readonly string[]> {
  closed ??= storedValue(`bulk-closed.${firm}`, (value) =>
    Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [],
  );
  return closed;
}
