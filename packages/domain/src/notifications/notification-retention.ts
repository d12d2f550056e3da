import { retentionOfFirmTable } from '../platform/database/retention.ts';
import { DAY_MS } from '../platform/process/clock.ts';

/** Read and unread notifications are deleted after a year. */
export const notificationRetention = retentionOfFirmTable({
  kind: 'notifications',
  keptMs: 365 * DAY_MS,
  since: 'since it was raised',
  table: 'notifications',
  at: 'created_at',
});
