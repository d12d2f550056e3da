import type { ColumnReader } from '../platform/data-row.ts';
import { JsonChunks } from '../platform/json-chunks.ts';
import type { AccessLevel } from './access-level.ts';
import type { AddedDate } from './calendar.entity.ts';
import { COLUMN } from './candidate-columns.ts';
import { eventWriter } from './event-json.ts';
import type { Expandable } from './expand-events.ts';
import { isRecurring, type OverrideColumns } from './series.ts';

/** An event that may have an occurrence in the window. Empty lists are null. */
export interface Candidate extends Expandable {
  level: AccessLevel;
  /** The JSON of its fields that the viewer may see: see {@link eventWriter}. */
  json: Buffer;
  /** How many bytes its texts have. */
  text_bytes: number;
  added_dates: AddedDate[] | null;
  removed_dates: string[] | null;
  overrides: OverrideColumns[] | null;
  reminders: { minutes_before: number; channel: string }[] | null;
  tags: { id: number; name: string; color: string }[] | null;
}

/** Returns a function that reads an event from its row, without its overrides, reminders and tags. */
export function candidateReader(): (columns: ColumnReader) => Candidate {
  const json = new JsonChunks();
  const writeEvent = eventWriter(json);
  return (columns) => {
    const level = (columns.text(COLUMN.level) as AccessLevel | null) ?? 'owner';
    const recurrence_rule = columns.text(COLUMN.recurrence_rule);
    const added_dates = listIn<AddedDate>(columns.text(COLUMN.added_dates));
    json.mark();
    writeEvent(columns, { level, isRecurring: isRecurring({ recurrence_rule, added_dates }) });
    return {
      id: columns.integer(COLUMN.id),
      level,
      json: json.sinceMark(),
      text_bytes:
        columns.sizeOf(COLUMN.title) +
        columns.sizeOf(COLUMN.description) +
        columns.sizeOf(COLUMN.location) +
        columns.sizeOf(COLUMN.attendees),
      local_start: columns.text(COLUMN.local_start)!,
      local_end: columns.text(COLUMN.local_end)!,
      all_day: !columns.isNull(COLUMN.all_day),
      timezone: columns.text(COLUMN.timezone)!,
      recurrence_rule,
      added_dates,
      removed_dates: listIn<string>(columns.text(COLUMN.removed_dates)),
      overrides: null,
      reminders: null,
      tags: null,
      is_partial: false,
    };
  };
}

function listIn<T>(json: string | null): T[] | null {
  return json === null ? null : JSON.parse(json);
}
