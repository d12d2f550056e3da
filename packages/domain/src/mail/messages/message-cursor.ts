import { ApiError } from '../../platform/process/errors.ts';

/** The place of a message in a list, newest first. */
export interface Position {
  messageAt: string;
  id: string;
}

/** A row that was listed. */
interface Placed {
  message_at: string;
  id: string;
}

/** Returns the page of rows that were read with one more. `placeOf` returns the message that places a row. */
export function pageOfRows<Row>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => Placed,
): { data: Row[]; meta: { has_more: boolean; next_cursor: string | null } } {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const has_more = rows.length > data.length;
  return { data, meta: { has_more, next_cursor: has_more && last ? writeCursor(placeOf(last)) : null } };
}

function writeCursor({ message_at, id }: Placed): string {
  return Buffer.from(`${message_at} ${id}`).toString('base64url');
}

/** Returns the position that a cursor holds; null without one. Throws `invalid_cursor`. */
export function readCursor(cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  const [, messageAt, id] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (msg_\w+)$/.exec(
      Buffer.from(cursor, 'base64url').toString(),
    ) ?? [];
  if (!messageAt || !id || !isTime(messageAt) || writeCursor({ message_at: messageAt, id }) !== cursor) {
    throw new ApiError('invalid_cursor');
  }
  return { messageAt, id };
}

/** Returns whether a text is a time of PostgreSQL, which has no year 0 and no 30 February. */
function isTime(text: string): boolean {
  const at = Date.parse(text);
  return text >= '0001' && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text.slice(0, 23));
}
