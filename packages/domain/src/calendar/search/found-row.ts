import type { EventTimes, OverrideColumns } from '../events/series.ts';

export type FoundOverride = Pick<
  OverrideColumns,
  'occurrence_start' | 'local_start' | 'local_end' | 'all_day'
>;

/** An event with the words of a search, or one of its overrides. */
export interface FoundRow extends EventTimes {
  id: number;
  calendar_id: number;
  title: string;
  location: string | null;
  span_end: Date | string | null;
  override: FoundOverride | null;
}
