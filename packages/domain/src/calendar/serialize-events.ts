import { setImmediate } from 'node:timers/promises';
import { JsonChunks } from '../platform/json-chunks.ts';
import { isAtLeast } from './access-level.ts';
import type { Candidate } from './candidate.ts';
import type { EventOccurrence } from './occurrence-list.ts';
import { ownOf, timesOf, toCalendarEvent } from './to-calendar-event.ts';

/**
 * Writes the JSON of a list of {@link toCalendarEvent}, in UTF-8: copies that of each event. Yields to the event loop after each full
 * chunk.
 */
export async function* serializeCalendarEvents(
  occurrences: readonly EventOccurrence<Candidate>[],
): AsyncGenerator<Uint8Array> {
  const json = new JsonChunks();
  json.ascii('[');
  const timesTextOf = timesCache();
  let next = 0;
  const write = () => {
    const occurrence = occurrences[next]!;
    if (next++ > 0) json.bytes(COMMA);
    if (occurrence.override !== null) return json.text(JSON.stringify(toCalendarEvent(occurrence)));
    json.bytes(timesTextOf(occurrence));
    json.bytes(occurrence.event.json);
    writeOwn(json, occurrence.event);
  };
  while (next < occurrences.length) {
    while (next < occurrences.length && !json.hasFull) write();
    yield* json.takeFull();
    await setImmediate();
  }
  json.ascii(']');
  yield* json.end();
}

/** Returns a function that returns the beginning of an occurrence: its times. Most occurrences share it with another one. */
function timesCache(): (occurrence: EventOccurrence<Candidate>) => Uint8Array {
  const lastAt = new Map<number, { recurrenceId: number | null; end: number; text: Uint8Array }>();
  return (occurrence) => {
    const { recurrenceId, start, end } = occurrence;
    const last = lastAt.get(start);
    if (last?.end === end && last.recurrenceId === recurrenceId) return last.text;
    const text = Buffer.from(`${JSON.stringify(timesOf(occurrence)).slice(0, -1)},`);
    lastAt.set(start, { recurrenceId, end, text });
    return text;
  };
}

const COMMA = Buffer.from(',');
const WITHOUT_LISTS = Buffer.from(',"reminders":[],"tags":[],"can_write":false}');
const WRITABLE_WITHOUT_LISTS = Buffer.from(',"reminders":[],"tags":[],"can_write":true}');

/** Writes the end of an occurrence. */
function writeOwn(json: JsonChunks, event: Candidate): void {
  if (event.reminders === null && event.tags === null)
    json.bytes(isAtLeast(event.level, 'write') ? WRITABLE_WITHOUT_LISTS : WITHOUT_LISTS);
  else json.text(`,${JSON.stringify(ownOf(event)).slice(1)}`);
}
