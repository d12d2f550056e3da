import { DAY_MS } from '../platform/clock.ts';
import { retentionOfTable } from '../platform/retention.ts';

/** Read and unread notifications are deleted after a year. */
export const notificationRetention = retentionOfTable({
  kind: 'notifications',
  keptMs: 365 * DAY_MS,
  since: 'since it was raised',
  table: 'notifications',
  at: 'created_at',
});
