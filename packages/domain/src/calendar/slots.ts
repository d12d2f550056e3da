import { expand, formatLocal, RecurrenceError, type Series } from '@firmdesk/recurrence';
import { invalidField } from '../platform/errors.ts';
import type { StoredEvent } from './event-rows.ts';
import { instantOf, storedDay, storedTime, toStoredSlot, wallOf } from './stored-time.ts';

/** The event's appearances as its rule and added dates place them, whatever became of them. */
export function plainSeries(event: StoredEvent): Series {
  return {
    start: event.starts_at,
    end: event.ends_at,
    zone: event.timezone,
    allDay: event.all_day,
    rule: event.recurrence_rule,
    rdates: event.rdates,
  };
}

export function repeats({ recurrence_rule, rdates }: StoredEvent): boolean {
  return Boolean(recurrence_rule) || rdates.length > 0;
}

/** Finds out whether the rule or an added date places an occurrence at a slot. */
export function slotFinder(event: StoredEvent): (slot: string) => boolean {
  const zone = event.timezone;
  const added = new Set(
    event.rdates.map((date) => instantOf(typeof date === 'string' ? date : date.start, zone)),
  );
  const series = { ...plainSeries(event), rdates: [] };
  return (slot) => {
    const instant = instantOf(slot, zone);
    if (added.has(instant)) return true;
    const { appearances } = expand(series, { from: instant, until: instant + 1 });
    return appearances.some(({ occurrenceStart }) => occurrenceStart === instant);
  };
}

/**
 * The slot that the caller names, null for an event that does not repeat. Raises `validation_failed` where the event has
 * no such appearance.
 */
export function slotOf(event: StoredEvent, occurrenceStart: string | null): string | null {
  const path = 'occurrence_start';
  if (!repeats(event)) {
    if (occurrenceStart !== null) throw invalidField(path, 'is given, but the event does not repeat');
    return null;
  }
  if (occurrenceStart === null) throw invalidField(path, 'is missing: the event repeats');
  const instant = Date.parse(occurrenceStart);
  const { timezone: zone, all_day, exdates, overrides } = event;
  const slot = storedSlot(instant, zone, all_day);
  const isThere =
    slot !== null && (overrides.some((one) => one.occurrence_start === slot) || slotFinder(event)(slot));
  if (!isThere || exdates.includes(slot) || instantOf(slot, zone) !== instant) {
    throw invalidField(path, 'is none of the event’s appearances');
  }
  return slot;
}

/** Null for an instant in a year that no event can have. */
function storedSlot(instant: number, zone: string, allDay: boolean): string | null {
  try {
    return allDay ? storedDay(instant, zone) : storedTime(instant, zone);
  } catch (error) {
    if (error instanceof RecurrenceError) return null;
    throw error;
  }
}

/** A stored time moved by a stretch of the wall clock, in ms. */
export function moved(stored: string, by: number, zone: string): string {
  if (by === 0) return stored;
  const text = formatLocal(wallOf(stored, zone) + by);
  return stored.length === 10 && by % 86_400_000 === 0 ? text.slice(0, 10) : text;
}

/** As {@link moved}, for a slot. */
export function movedSlot(slot: string, by: number, event: StoredEvent): string {
  return toStoredSlot(moved(slot, by, event.timezone), event.timezone, event.all_day);
}
