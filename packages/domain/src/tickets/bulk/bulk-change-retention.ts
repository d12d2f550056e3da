import { retentionOfFirmTable } from '../../platform/database/retention.ts';
import { DAY_MS } from '../../platform/process/clock.ts';

/** Deletes the reports of old bulk changes, with their batches. */
export const bulkChangeRetention = retentionOfFirmTable({
  kind: 'bulk_changes',
  keptMs: DAY_MS,
  since: 'since it was started',
  table: 'bulk_changes',
  at: 'created_at',
});
