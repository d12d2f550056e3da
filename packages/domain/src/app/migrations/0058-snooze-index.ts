import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** The snoozed tickets of a firm in the queue's order: their list, and how many to leave out of the counts. */
export class SnoozeIndex extends ConcurrentIndexes {
  protected override readonly create = {
    tickets_snoozed: 'tickets (workspace_id, queue_rank, queue_key, queue_tie) where snoozed_at is not null',
  };
}
