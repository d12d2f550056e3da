import type { ColumnReader } from '../platform/data-row.ts';
import type { JsonChunks } from '../platform/json-chunks.ts';
import type { AccessLevel } from './access-level.ts';
import { COLUMN } from './candidate-columns.ts';

/** A value of the JSON of an event. */
interface Value {
  column: number;
  /** What to write of a column that is not null: a JSON string, the text as it is (a number or JSON), or `true`. */
  as: 'string' | 'raw' | 'true';
  ifNull: string;
}

const string = (column: number, ifNull = 'null'): Value => ({ column, as: 'string', ifNull });
const raw = (column: number, ifNull = 'null'): Value => ({ column, as: 'raw', ifNull });

/** The texts and values of an event, one after the other. */
const EVENT: readonly (string | Value | 'is_recurring')[] = [
  '"object":"calendar_event","id":',
  raw(COLUMN.id),
  ',"calendar_id":',
  raw(COLUMN.calendar_id),
  ',"all_day":',
  { column: COLUMN.all_day, as: 'true', ifNull: 'false' },
  ',"timezone":',
  string(COLUMN.timezone),
  ',"status":',
  string(COLUMN.status, '"confirmed"'),
  ',"is_recurring":',
  'is_recurring',
];

/** Its content, which follows. */
const CONTENT: typeof EVENT = [
  ',"title":',
  string(COLUMN.title),
  ',"description":',
  string(COLUMN.description),
  ',"location":',
  string(COLUMN.location),
  ',"source":',
  string(COLUMN.source, '"manual"'),
  ',"recurrence_rule":',
  string(COLUMN.recurrence_rule),
  ',"conference":',
  raw(COLUMN.conference, '{"provider":null,"url":null,"meeting_id":null,"passcode":null}'),
  ',"organizer":{"name":',
  string(COLUMN.organizer_name),
  ',"email":',
  string(COLUMN.organizer_email),
  '},"attendees":',
  raw(COLUMN.attendees, '[]'),
];

/** What a viewer at `busy` sees in its place. */
const BUSY =
  ',"title":"Busy","description":null,"location":null,"source":"manual","recurrence_rule":null' +
  ',"conference":{"provider":null,"url":null,"meeting_id":null,"passcode":null}' +
  ',"organizer":{"name":null,"email":null},"attendees":[]';

/** The columns that are not null, each after its text, and the text that follows. */
interface Template {
  columns: { before: Uint8Array; column: number; isString: boolean }[];
  end: Uint8Array;
}

/**
 * Returns a function that writes the fields of an event that its viewer may see (contract §2.2), without braces: all but the times of
 * an occurrence, and `reminders`, `tags` and `can_write`, which follow. It copies the bytes of the row, because decoding them and
 * `JSON.stringify` take twice the time. Most events have the same columns that are null, and hence few texts between the others.
 */
export function eventWriter(
  json: JsonChunks,
): (columns: ColumnReader, event: { level: AccessLevel; isRecurring: boolean }) => void {
  const templates = new Map<number, Template>();
  return (columns, { level, isRecurring }) => {
    const isBusy = level === 'busy';
    const shape = columns.nulls * 4 + (isRecurring ? 2 : 0) + (isBusy ? 1 : 0);
    let template = templates.get(shape);
    if (!template) {
      template = templateOf(isBusy ? [...EVENT, BUSY] : [...EVENT, ...CONTENT], columns, isRecurring);
      templates.set(shape, template);
    }
    for (const { before, column, isString } of template.columns) {
      json.bytes(before);
      const start = columns.startOf(column);
      const end = start + columns.sizeOf(column);
      if (isString) json.string(columns.bytes, start, end);
      else json.copy(columns.bytes, start, end);
    }
    json.bytes(template.end);
  };
}

function templateOf(parts: typeof EVENT, row: ColumnReader, isRecurring: boolean): Template {
  const columns: Template['columns'] = [];
  let text = '';
  for (const part of parts) {
    if (part === 'is_recurring') text += isRecurring;
    else if (typeof part === 'string') text += part;
    else if (row.isNull(part.column)) text += part.ifNull;
    else if (part.as === 'true') text += 'true';
    else {
      columns.push({ before: Buffer.from(text), column: part.column, isString: part.as === 'string' });
      text = '';
    }
  }
  return { columns, end: Buffer.from(text) };
}
