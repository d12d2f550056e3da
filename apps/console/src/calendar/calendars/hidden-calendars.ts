import { storedValue } from '../../stored-value.ts';

/** The calendars that are hidden in this browser. */
export const hiddenCalendars = storedValue<readonly number[]>('hidden-calendars', (stored) =>
  Array.isArray(stored) ? stored.filter((id) => Number.isSafeInteger(id)) : [],
);
