import { retentionOfFirmTable } from '../../platform/database/retention.ts';
import { DAY_MS } from '../../platform/process/clock.ts';

/** Deletes old runs. Their replies and notes stay in the conversations. */
export const runRetention = retentionOfFirmTable({
  kind: 'assistant_runs',
  keptMs: 30 * DAY_MS,
  since: 'since it ended',
  table: 'assistant_runs',
  at: 'ended_at',
  where: 'ended_at is not null',
});
