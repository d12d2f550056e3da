import { expand, formatRule, nextAfter, parseRule } from '@firmdesk/recurrence';
import { sql } from 'kysely';
import { DAY_MS } from '../platform/clock.ts';
import { sqlOf } from '../platform/database.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import type { StoredEvent } from './event-rows.ts';
import { insertEvents } from './insert-events.ts';
import { replaceEvent } from './replace-event.ts';
import { moved, plainSeries } from './slots.ts';
import { instantOf, storedDay, storedTime, wallOf } from './stored-time.ts';
import { bounded } from './work/bounded.ts';

/** Appearances that are counted in one go. */
const CHUNK = 100_000;

/**
 * Ends a series before a slot, and begins another one there that goes on as it did, with the same reminders and tags.
 * From the first slot on, the series is its own rest.
 */
export async function divide(
  ctx: AccountContext,
  event: StoredEvent,
  slot: string,
): Promise<{ tail: StoredEvent; tailId: number }> {
  if (slot === event.starts_at) return { tail: event, tailId: event.id! };
  await replaceEvent(
    ctx,
    event.id!,
    bounded(() => endedBefore(event, slot)),
  );
  const tail = bounded(() => beginningAt(event, slot));
  const [tailId] = await insertEvents(ctx, [tail]);
  const db = sqlOf(ctx.em);
  await sql`
    insert into event_reminders (event_id, user_id, minutes_before, channel, due_at, done_until)
    select ${tailId}, user_id, minutes_before, channel, null, done_until
    from event_reminders where event_id = ${event.id}`.execute(db);
  await sql`
    insert into event_tags (event_id, tag_id)
    select ${tailId}, tag_id from event_tags where event_id = ${event.id}`.execute(db);
  return { tail: { ...tail, id: tailId! }, tailId: tailId! };
}

/** The series without its appearances from a slot on, which is not its first. */
export function endedBefore(event: StoredEvent, slot: string): StoredEvent {
  const isEarlier = before(event, slot);
  let rule = event.recurrence_rule;
  if (rule) {
    const at = event.all_day
      ? wallOf(slot, event.timezone) - DAY_MS
      : instantOf(slot, event.timezone) - 1_000;
    const until = { form: event.all_day ? 'date' : 'utc', at } as const;
    rule = formatRule({ ...parseRule(rule), count: null, until });
  }
  return {
    ...event,
    sequence: (event.sequence ?? 0) + 1,
    recurrence_rule: rule,
    rdates: event.rdates.filter((date) => isEarlier(typeof date === 'string' ? date : date.start)),
    exdates: event.exdates.filter(isEarlier),
    overrides: event.overrides.filter(({ occurrence_start }) => isEarlier(occurrence_start)),
  };
}

function beginningAt(event: StoredEvent, slot: string): StoredEvent {
  const zone = event.timezone;
  const isEarlier = before(event, slot);
  const anchor = ruleSlotFrom(event, slot);
  const by = wallOf(anchor ?? slot, zone) - wallOf(event.starts_at, zone);
  return {
    ...event,
    id: null,
    uid: null,
    starts_at: moved(event.starts_at, by, zone),
    ends_at: moved(event.ends_at, by, zone),
    recurrence_rule: anchor && event.recurrence_rule ? restOf(event.recurrence_rule, event, slot) : null,
    rdates: event.rdates.filter((date) => !isEarlier(typeof date === 'string' ? date : date.start)),
    exdates: event.exdates.filter((date) => !isEarlier(date)),
    overrides: event.overrides.filter(({ occurrence_start }) => !isEarlier(occurrence_start)),
  };
}

/** The first slot of the rule from an added date on, or that slot itself: only from one of its own does a rule go on alike. */
function ruleSlotFrom(event: StoredEvent, slot: string): string | null {
  if (!event.recurrence_rule) return null;
  const next = nextAfter({ ...plainSeries(event), rdates: [] }, instantOf(slot, event.timezone));
  if (!next) return null;
  const { occurrenceStart } = next;
  return event.all_day
    ? storedDay(occurrenceStart, event.timezone)
    : storedTime(occurrenceStart, event.timezone);
}

/** The rule from a slot on: of a counted one, what is left of the count. */
function restOf(text: string, event: StoredEvent, slot: string): string {
  const rule = parseRule(text);
  if (rule.count === null) return text;
  const series = { ...plainSeries(event), rdates: [] };
  const until = instantOf(slot, event.timezone);
  let from = instantOf(event.starts_at, event.timezone);
  let count = rule.count;
  for (let isMore = from < until; isMore; ) {
    const { appearances, truncated } = expand(series, { from, until }, { limit: CHUNK });
    count -= appearances.filter(({ occurrenceStart }) => occurrenceStart >= from).length;
    from = (appearances.at(-1)?.occurrenceStart ?? until) + 1;
    isMore = truncated;
  }
  return formatRule({ ...rule, count: Math.max(1, count) });
}

function before(event: StoredEvent, slot: string): (other: string) => boolean {
  const at = instantOf(slot, event.timezone);
  return (other) => instantOf(other, event.timezone) < at;
}
