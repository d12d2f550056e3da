/** A place in a firm's log. The tag is a random number of the event there, so that a lost event is told from its successor. */
export interface LogPosition {
  position: number;
  tag: number;
}

/** Tags are integers of PostgreSQL. */
const MAX_TAG = 2 ** 31 - 1;

/** The place before the first event. */
export const LOG_START: LogPosition = { position: 0, tag: 0 };

export function isSamePosition(a: LogPosition, b: LogPosition): boolean {
  return a.position === b.position && a.tag === b.tag;
}

/** Returns the id of an event on the wire: `POSITION-TAG-EPOCH`. */
export function eventId({ position, tag }: LogPosition, epoch: string): string {
  return `${position}-${tag.toString(36)}-${epoch}`;
}

/** Returns the place in the log that the id names; `unknown` for an id of another epoch or of an earlier version. `0` is the start. */
export function parseEventId(id: string, epoch: string): LogPosition | 'unknown' {
  if (id === '0') return LOG_START;
  const [position, tag, itsEpoch] = id.split('-');
  const place = { position: Number(position), tag: Number.parseInt(tag ?? '', 36) };
  return itsEpoch === epoch && place.tag <= MAX_TAG ? place : 'unknown';
}
