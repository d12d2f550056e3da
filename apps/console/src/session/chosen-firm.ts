import { storedValue } from '../stored-value.ts';

/** The slug of the firm that a member of the service's own staff acts in; null for firm staff, whose token says it. */
export const chosenFirm = storedValue<string | null>('firm', (stored) =>
  typeof stored === 'string' ? stored : null,
);
