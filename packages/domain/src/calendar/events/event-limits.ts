import { EventFieldError } from './event-error.ts';
import type { NewEvent } from './new-event.ts';

/** Limits of one event. They limit the cost of expanding and returning it. */
export const EVENT_LIMITS = {
  title: 1_000,
  description: 100_000,
  location: 2_000,
  /** The number of RDATEs, of EXDATEs and of overrides. */
  dates: 5_000,
  /** The characters in the texts of all overrides together. */
  overrideTexts: 1_000_000,
  attendees: 1_000,
} as const;

/** Throws `EventFieldError` if an event exceeds {@link EVENT_LIMITS}. */
export function checkLimits(event: NewEvent): void {
  for (const field of ['title', 'description', 'location'] as const) {
    checkLength(field, event[field], EVENT_LIMITS[field]);
    for (const [i, override] of (event.overrides ?? []).entries())
      checkLength(`overrides[${i}].${field}`, override[field], EVENT_LIMITS[field]);
  }
  let characters = 0;
  for (const { title, description, location } of event.overrides ?? [])
    characters += (title?.length ?? 0) + (description?.length ?? 0) + (location?.length ?? 0);
  if (characters > EVENT_LIMITS.overrideTexts)
    throw new EventFieldError(
      'overrides',
      `must have at most ${EVENT_LIMITS.overrideTexts} characters of text in total`,
    );
  for (const list of ['rdates', 'exdates', 'overrides', 'attendees'] as const) {
    const limit = list === 'attendees' ? EVENT_LIMITS.attendees : EVENT_LIMITS.dates;
    if ((event[list]?.length ?? 0) > limit)
      throw new EventFieldError(list, `must have at most ${limit} entries`);
  }
}

function checkLength(path: string, text: string | null | undefined, limit: number): void {
  if (text && text.length > limit) throw new EventFieldError(path, `must have at most ${limit} characters`);
}
