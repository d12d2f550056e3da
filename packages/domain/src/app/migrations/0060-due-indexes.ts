import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** The tickets of a firm by their next due time, and those of all firms of which the team is to be warned. */
export class DueIndexes extends ConcurrentIndexes {
  protected override readonly create = {
    tickets_next_due: 'tickets (workspace_id, next_due_at, id)',
    tickets_due_warning: 'tickets (due_warning_at) where due_warning_at is not null',
  };
}
