import type { ChangeEventInput, EventSaved } from '@firmdesk/contract';
import {
  formatRule,
  localToUtc,
  parseRule,
  RecurrenceError,
  resolveZone,
  utcToLocal,
} from '@firmdesk/recurrence';
import { DAY_MS } from '../../platform/process/clock.ts';
import { invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { publishEventsChanged } from '../calendars/calendar-changes.ts';
import { nextSequence } from '../invitations/invitation-version.ts';
import { limitChangeWork } from '../tasks/limit-change-work.ts';
import { asInvalidField } from './as-invalid-field.ts';
import { atPath, EventFieldError } from './event-error.ts';
import { startFormOf } from './event-rows.ts';
import { FIRST_INSTANT, LAST_INSTANT } from './iso-time.ts';
import type { StoredEvent } from './new-event.ts';
import { openEvent } from './open-event.ts';
import { recurrenceIdMatcher, requireRecurrenceId, shiftRecurrenceId, shiftTime } from './recurrence-id.ts';
import { saveChanged } from './save-changed.ts';
import { setTags } from './set-tags.ts';
import { splitSeries } from './split-series.ts';
import { toStored, wallTimeOf } from './stored-time.ts';

type Changes = Omit<ChangeEventInput, 'id' | 'occurrence_start' | 'extent'>;

/** The fields that an override can change. */
const OVERRIDE_FIELDS = new Set(['title', 'description', 'location', 'starts_at', 'ends_at', 'all_day']);

/**
 * Changes an event: one occurrence of a series, that and all later ones, or all. Throws `resource_not_found`, `forbidden`,
 * `validation_failed`.
 */
export async function changeEvent(
  ctx: AccountContext,
  { id, occurrence_start, extent, ...given }: ChangeEventInput,
): Promise<EventSaved> {
  const event = await openEvent(ctx, id, 'write');
  return asInvalidField(async () => {
    const recurrenceId = limitChangeWork(() => requireRecurrenceId(event, occurrence_start));
    const changes = limitChangeWork(() => normalizeChanges(event, given));
    let savedId = id;
    if (recurrenceId === null || extent === 'all') await changeAll(ctx, event, recurrenceId, changes);
    else if (extent === 'this')
      await saveChanged(
        ctx,
        event,
        limitChangeWork(() => withOverride(event, recurrenceId, changes)),
      );
    else {
      const { tail, tailId } = await splitSeries(ctx, event, recurrenceId);
      savedId = tailId;
      await changeAll(ctx, tail, recurrenceId, changes, tailId !== id);
    }
    await publishEventsChanged(ctx, event.calendar_id);
    return { object: 'event_saved', id: savedId };
  });
}

/** Returns the changes with the IANA name of the zone. Throws `EventFieldError` for an invalid zone or time. */
function normalizeChanges(event: StoredEvent, changes: Changes): Changes {
  const zone = resolveZone(changes.timezone ?? event.timezone);
  if (zone === null) throw new EventFieldError('timezone', 'must be an IANA time zone');
  const allDay = changes.all_day ?? event.all_day;
  for (const field of ['starts_at', 'ends_at'] as const) {
    const time = changes[field];
    if (time !== undefined) atPath(field, () => toStored(time, zone, allDay));
  }
  return changes.timezone === undefined ? changes : { ...changes, timezone: zone };
}

async function changeAll(
  ctx: AccountContext,
  event: StoredEvent,
  recurrenceId: string | null,
  changes: Changes,
  isNew = false,
): Promise<void> {
  const { tag_ids } = changes;
  checkRule(changes, changes.all_day ?? event.all_day);
  await saveChanged(
    ctx,
    event,
    limitChangeWork(() => withChanges(event, recurrenceId ?? event.starts_at, changes)),
    isNew,
  );
  if (tag_ids) await setTags(ctx, event.id!, tag_ids);
}

/** Throws `validation_failed` for an invalid rule. Unlike an import, it does not convert an UNTIL of the wrong form. */
export function checkRule({ recurrence_rule }: Changes, allDay: boolean): void {
  if (!recurrence_rule) return;
  try {
    parseRule(recurrence_rule, startFormOf(allDay));
  } catch (error) {
    if (!(error instanceof RecurrenceError)) throw error;
    throw invalidField('recurrence_rule', `is invalid: ${error.message}`);
  }
}

/** Returns the event with one occurrence changed. Omitted fields of the occurrence stay. */
function withOverride(event: StoredEvent, recurrenceId: string, changes: Changes): StoredEvent {
  for (const [field, value] of Object.entries(changes)) {
    if (value !== undefined && !OVERRIDE_FIELDS.has(field))
      throw invalidField(field, 'cannot be changed for a single occurrence');
  }
  const before = event.overrides.find((override) => override.occurrence_start === recurrenceId);
  const { starts_at, ends_at, description, location } = changes;
  const override = {
    ...before,
    occurrence_start: recurrenceId,
    sequence: nextSequence({ source: event.source, sequence: before?.sequence ?? event.sequence }),
    stamp: before ? before.stamp : event.stamp,
    title: changes.title ?? before?.title,
    description: description === undefined ? before?.description : (description ?? ''),
    location: location === undefined ? before?.location : (location ?? ''),
    all_day: changes.all_day ?? before?.all_day,
    starts_at: starts_at ?? before?.starts_at,
    ends_at: ends_at ?? before?.ends_at,
  };
  if (starts_at && !ends_at && before?.ends_at) {
    const zone = event.timezone;
    const start = toStored(starts_at, zone, override.all_day ?? event.all_day);
    const by = wallTimeOf(start, zone) - wallTimeOf(before.starts_at ?? recurrenceId, zone);
    override.ends_at = shiftTime(before.ends_at, by, zone);
  }
  const others = event.overrides.filter((override) => override !== before);
  return { ...event, overrides: [...others, override] };
}

/**
 * Returns the event with all occurrences changed. New times are those of the occurrence with `recurrenceId`. The other
 * occurrences, exception dates and overrides are shifted by the same distance on the wall clock.
 */
function withChanges(event: StoredEvent, recurrenceId: string, changes: Changes): StoredEvent {
  const { tag_ids: _, recurrence_rule, ...rest } = changes;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const next: StoredEvent = { ...event, ...given, sequence: nextSequence(event) };
  const { timezone: zone, all_day: allDay } = next;
  const before = {
    start: wallTimeOf(event.starts_at, event.timezone),
    end: wallTimeOf(event.ends_at, event.timezone),
  };
  const start = toStored(changes.starts_at ?? recurrenceId, zone, allDay);
  const by =
    changes.starts_at || changes.all_day !== undefined
      ? wallTimeOf(start, zone) - wallTimeOf(recurrenceId, event.timezone)
      : 0;
  next.starts_at = shiftTime(event.starts_at, by, event.timezone);
  next.ends_at = shiftTime(event.ends_at, by, event.timezone);
  if (changes.ends_at) {
    const length = wallTimeOf(toStored(changes.ends_at, zone, allDay), zone) - wallTimeOf(start, zone);
    if (length < 0) throw invalidField('ends_at', 'must not be before the start');
    next.ends_at = shiftTime(event.ends_at, before.start + by + length - before.end, event.timezone);
  }
  next.rdates = event.rdates.map((date) =>
    typeof date === 'string'
      ? shiftRecurrenceId(date, by, next)
      : { start: shiftTime(date.start, by, zone), end: shiftTime(date.end, by, zone) },
  );
  next.exdates = event.exdates.map((recurrenceId) => shiftRecurrenceId(recurrenceId, by, next));
  next.overrides = event.overrides.map((override) => ({
    ...override,
    occurrence_start: shiftRecurrenceId(override.occurrence_start, by, next),
  }));
  if (recurrence_rule === undefined) {
    next.recurrence_rule = event.recurrence_rule ? shiftUntil(event.recurrence_rule, event, next, by) : null;
    return next;
  }
  next.recurrence_rule = recurrence_rule;
  if (!recurrence_rule) return { ...next, rdates: [], exdates: [], overrides: [] };
  const isRecurrenceId = recurrenceIdMatcher(next);
  return {
    ...next,
    exdates: next.exdates.filter(isRecurrenceId),
    overrides: next.overrides.filter(({ occurrence_start }) => isRecurrenceId(occurrence_start)),
  };
}

/**
 * Returns the rule of an event with its UNTIL shifted like the occurrences, so that their number stays. UNTIL is shifted by the
 * wall clock, and takes the zone and the form of the changed event.
 */
function shiftUntil(text: string, event: StoredEvent, next: StoredEvent, by: number): string {
  const rule = parseRule(text);
  const isSame = by === 0 && next.timezone === event.timezone && next.all_day === event.all_day;
  if (!rule.until || isSame) return text;
  const { form, at } = rule.until;
  const wall = (form === 'utc' ? utcToLocal(at, event.timezone) : at) + by;
  const shifted = next.all_day ? Math.floor(wall / DAY_MS) * DAY_MS : localToUtc(wall, next.timezone);
  const until = {
    form: next.all_day ? 'date' : 'utc',
    at: Math.min(Math.max(shifted, FIRST_INSTANT), LAST_INSTANT),
  } as const;
  return formatRule({ ...rule, until });
}
