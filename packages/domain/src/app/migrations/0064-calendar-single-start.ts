import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** The single events of a calendar by their start, which tell the end of what a crowded window reads. */
export class CalendarSingleStart extends ConcurrentIndexes {
  protected override readonly create = {
    events_single_start:
      "events (workspace_id, calendar_id, span_start) where recurrence_rule is null and added_dates = '[]' and removed_dates = '[]'",
  };
}
