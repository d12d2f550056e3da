import type { ChangeEventInput, EventSaved } from '@firmdesk/contract';
import { formatRule, parseRule, RecurrenceError, resolveZone } from '@firmdesk/recurrence';
import { invalidField } from '../platform/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { at, EventError } from './event-error.ts';
import { type StoredEvent, startFormOf } from './event-rows.ts';
import { openEvent, refusing } from './open-event.ts';
import { replaceEvent } from './replace-event.ts';
import { setTags } from './set-tags.ts';
import { moved, movedSlot, slotFinder, slotOf } from './slots.ts';
import { divide } from './split-series.ts';
import { toStored, wallOf } from './stored-time.ts';
import { bounded } from './work/bounded.ts';

type Changes = Omit<ChangeEventInput, 'id' | 'occurrence_start' | 'extent'>;

/** What one appearance can have of its own. */
const OF_ONE = new Set(['title', 'description', 'location', 'starts_at', 'ends_at', 'all_day']);

/**
 * Changes an event: one appearance of a series, that and all later ones, or all. Raises `resource_not_found`,
 * `forbidden`, `validation_failed`.
 */
export async function changeEvent(
  ctx: AccountContext,
  { id, occurrence_start, extent, ...given }: ChangeEventInput,
): Promise<EventSaved> {
  const event = await openEvent(ctx, id, 'write');
  return refusing(async () => {
    const slot = bounded(() => slotOf(event, occurrence_start));
    const changes = bounded(() => readable(event, given));
    let savedId = id;
    if (slot === null || extent === 'all') await changeAll(ctx, event, slot, changes);
    else if (extent === 'this')
      await replaceEvent(
        ctx,
        id,
        bounded(() => withOverride(event, slot, changes)),
      );
    else {
      const { tail, tailId } = await divide(ctx, event, slot);
      savedId = tailId;
      await changeAll(ctx, tail, slot, changes);
    }
    return { object: 'event_saved', id: savedId };
  });
}

/** The changes, with the zone by its IANA name. Throws `EventError` for a zone, and for times, that are none. */
function readable(event: StoredEvent, changes: Changes): Changes {
  const zone = resolveZone(changes.timezone ?? event.timezone);
  if (zone === null) throw new EventError('timezone', 'is not an IANA zone');
  const allDay = changes.all_day ?? event.all_day;
  for (const field of ['starts_at', 'ends_at'] as const) {
    const time = changes[field];
    if (time !== undefined) at(field, () => toStored(time, zone, allDay));
  }
  return changes.timezone === undefined ? changes : { ...changes, timezone: zone };
}

async function changeAll(
  ctx: AccountContext,
  event: StoredEvent,
  slot: string | null,
  changes: Changes,
): Promise<void> {
  const { tag_ids } = changes;
  checkRule(changes, changes.all_day ?? event.all_day);
  await replaceEvent(
    ctx,
    event.id!,
    bounded(() => withChanges(event, slot ?? event.starts_at, changes)),
  );
  if (tag_ids) await setTags(ctx, event.id!, tag_ids);
}

/** An import reads an UNTIL of the wrong form as well as it can; who writes a rule here is told. */
export function checkRule({ recurrence_rule }: Changes, allDay: boolean): void {
  if (!recurrence_rule) return;
  try {
    parseRule(recurrence_rule, startFormOf(allDay));
  } catch (error) {
    if (!(error instanceof RecurrenceError)) throw error;
    throw invalidField('recurrence_rule', error.message);
  }
}

/** The event with one appearance changed. Fields that are left out stay as they were there. */
function withOverride(event: StoredEvent, slot: string, changes: Changes): StoredEvent {
  for (const [field, value] of Object.entries(changes)) {
    if (value !== undefined && !OF_ONE.has(field))
      throw invalidField(field, 'cannot differ in one appearance');
  }
  const before = event.overrides.find((override) => override.occurrence_start === slot);
  const { starts_at, ends_at, description, location } = changes;
  const override = {
    ...before,
    occurrence_start: slot,
    sequence: (before?.sequence ?? event.sequence ?? 0) + 1,
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
    const by = wallOf(start, zone) - wallOf(before.starts_at ?? slot, zone);
    override.ends_at = moved(before.ends_at, by, zone);
  }
  const others = event.overrides.filter((one) => one !== before);
  return { ...event, overrides: [...others, override] };
}

/**
 * The event with all appearances changed. New times are those of the appearance at `slot`; the others, and whatever was
 * changed or removed among them, are moved as far by the wall clock.
 */
function withChanges(event: StoredEvent, slot: string, changes: Changes): StoredEvent {
  const { tag_ids: _, recurrence_rule, ...rest } = changes;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const next: StoredEvent = { ...event, ...given, sequence: (event.sequence ?? 0) + 1 };
  const { timezone: zone, all_day: allDay } = next;
  const before = {
    start: wallOf(event.starts_at, event.timezone),
    end: wallOf(event.ends_at, event.timezone),
  };
  const start = toStored(changes.starts_at ?? slot, zone, allDay);
  const by =
    changes.starts_at || changes.all_day !== undefined
      ? wallOf(start, zone) - wallOf(slot, event.timezone)
      : 0;
  next.starts_at = moved(event.starts_at, by, event.timezone);
  next.ends_at = moved(event.ends_at, by, event.timezone);
  if (changes.ends_at) {
    const length = wallOf(toStored(changes.ends_at, zone, allDay), zone) - wallOf(start, zone);
    if (length < 0) throw invalidField('ends_at', 'lies before starts_at');
    next.ends_at = moved(event.ends_at, before.start + by + length - before.end, event.timezone);
  }
  next.rdates = event.rdates.map((date) =>
    typeof date === 'string'
      ? movedSlot(date, by, next)
      : { start: moved(date.start, by, zone), end: moved(date.end, by, zone) },
  );
  next.exdates = event.exdates.map((slot) => movedSlot(slot, by, next));
  next.overrides = event.overrides.map((override) => ({
    ...override,
    occurrence_start: movedSlot(override.occurrence_start, by, next),
  }));
  if (recurrence_rule === undefined) {
    next.recurrence_rule = event.recurrence_rule ? movedUntil(event.recurrence_rule, by) : null;
    return next;
  }
  next.recurrence_rule = recurrence_rule;
  if (!recurrence_rule) return { ...next, rdates: [], exdates: [], overrides: [] };
  const isSlot = slotFinder(next);
  return {
    ...next,
    exdates: next.exdates.filter(isSlot),
    overrides: next.overrides.filter(({ occurrence_start }) => isSlot(occurrence_start)),
  };
}

/** The rule with its end moved as its appearances are, so that the last of them stays. */
function movedUntil(text: string, by: number): string {
  const rule = parseRule(text);
  if (by === 0 || !rule.until || rule.until.form === 'date') return text;
  return formatRule({ ...rule, until: { ...rule.until, at: rule.until.at + by } });
}
