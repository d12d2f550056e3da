import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** Indexes that find the oldest rows for pruning. */
export class RetentionIndexes extends ConcurrentIndexes {
  protected override readonly create = {
    notifications_age: 'notifications (created_at)',
    assistant_runs_ended: 'assistant_runs (ended_at) where ended_at is not null',
    tokens_device_age: `tokens (created_at) where kind = 'device'`,
  };

  // A BRIN index cannot find the oldest row; and the event log is pruned by position.
  protected override readonly drop = ['assistant_runs_age', 'live_events_age'];
}
