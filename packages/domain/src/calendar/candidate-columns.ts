/**
 * The columns of an event in the statement of a window, and their expressions. The usual values of some are null, which takes less time
 * to send and to read.
 */
export const EVENT_COLUMNS = {
  id: 'id',
  calendar_id: 'calendar_id',
  title: 'title',
  description: "nullif(description, '')",
  location: "nullif(location, '')",
  local_start: 'local_start',
  local_end: 'local_end',
  all_day: 'nullif(all_day, false)',
  timezone: 'timezone',
  status: "nullif(status, 'confirmed')",
  source: "nullif(source, 'manual')",
  recurrence_rule: 'recurrence_rule',
  added_dates: listOrNull('added_dates'),
  removed_dates: listOrNull('removed_dates'),
  conference: 'conference::text',
  organizer_name: 'organizer_name',
  organizer_email: 'organizer_email',
  attendees: listOrNull('attendees'),
};

/** Returns null for an empty list. To compare `jsonb` values takes longer. */
function listOrNull(column: string): string {
  return `case when jsonb_array_length(${column}) > 0 then ${column}::text end`;
}

/** The index of each column of a row. Only the last row has `about`, and it has no other. `level` is null for the owner. */
export const COLUMN = indexesOf(['about', 'level', ...keysOf(EVENT_COLUMNS)]);

function indexesOf<Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, i) => [name, i])) as Record<Name, number>;
}

function keysOf<Name extends string>(object: Readonly<Record<Name, string>>): Name[] {
  return Object.keys(object) as Name[];
}
