import { DAY_MS } from '../platform/clock.ts';
import { retentionOfTable } from '../platform/retention.ts';

/** Read or not: whoever has not looked for a year is not told so late. */
export const notificationRetention = retentionOfTable({
  kind: 'notifications',
  keptMs: 365 * DAY_MS,
  since: 'since it was raised',
  table: 'notifications',
  at: 'created_at',
});
