import { expand, formatRule, nextAfter, parseRule } from '@firmdesk/recurrence';
import { sql } from 'kysely';
import { DAY_MS } from '../platform/clock.ts';
import { sqlOf } from '../platform/database.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import type { StoredEvent } from './event-rows.ts';
import { insertEvents } from './insert-events.ts';
import { shiftTime, unmodifiedSeries } from './recurrence-id.ts';
import { replaceEvent } from './replace-event.ts';
import { instantOf, storedDay, storedTime, wallTimeOf } from './stored-time.ts';
import { limitChangeWork } from './tasks/limit-change-work.ts';

/** Occurrences that are counted in one go. */
const CHUNK = 100_000;

/**
 * Ends a series before a recurrence id, and begins another one there that goes on as it did, with the same reminders and tags.
 * From the first recurrence id on, the series is its own rest.
 */
export async function splitSeries(
  ctx: AccountContext,
  event: StoredEvent,
  recurrenceId: string,
): Promise<{ tail: StoredEvent; tailId: number }> {
  if (recurrenceId === event.starts_at) return { tail: event, tailId: event.id! };
  await replaceEvent(
    ctx,
    event.id!,
    limitChangeWork(() => endSeriesBefore(event, recurrenceId)),
  );
  const tail = limitChangeWork(() => startSeriesAt(event, recurrenceId));
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

/** The series without its occurrences from a recurrence id on, which is not its first. */
export function endSeriesBefore(event: StoredEvent, recurrenceId: string): StoredEvent {
  const isEarlier = before(event, recurrenceId);
  let rule = event.recurrence_rule;
  if (rule) {
    const at = event.all_day
      ? wallTimeOf(recurrenceId, event.timezone) - DAY_MS
      : instantOf(recurrenceId, event.timezone) - 1_000;
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

function startSeriesAt(event: StoredEvent, recurrenceId: string): StoredEvent {
  const zone = event.timezone;
  const isEarlier = before(event, recurrenceId);
  const anchor = ruleOccurrenceFrom(event, recurrenceId);
  const by = wallTimeOf(anchor ?? recurrenceId, zone) - wallTimeOf(event.starts_at, zone);
  return {
    ...event,
    id: null,
    uid: null,
    starts_at: shiftTime(event.starts_at, by, zone),
    ends_at: shiftTime(event.ends_at, by, zone),
    recurrence_rule:
      anchor && event.recurrence_rule ? remainingRule(event.recurrence_rule, event, recurrenceId) : null,
    rdates: event.rdates.filter((date) => !isEarlier(typeof date === 'string' ? date : date.start)),
    exdates: event.exdates.filter((date) => !isEarlier(date)),
    overrides: event.overrides.filter(({ occurrence_start }) => !isEarlier(occurrence_start)),
  };
}

/** The first recurrence id of the rule from an added date on, or that recurrence id itself: only from one of its own does a rule go on alike. */
function ruleOccurrenceFrom(event: StoredEvent, recurrenceId: string): string | null {
  if (!event.recurrence_rule) return null;
  const next = nextAfter({ ...unmodifiedSeries(event), rdates: [] }, instantOf(recurrenceId, event.timezone));
  if (!next) return null;
  const { recurrenceId: start } = next;
  return event.all_day ? storedDay(start, event.timezone) : storedTime(start, event.timezone);
}

/** The rule from a recurrence id on: of a counted one, what is left of the count. */
function remainingRule(text: string, event: StoredEvent, recurrenceId: string): string {
  const rule = parseRule(text);
  if (rule.count === null) return text;
  const series = { ...unmodifiedSeries(event), rdates: [] };
  const until = instantOf(recurrenceId, event.timezone);
  let from = instantOf(event.starts_at, event.timezone);
  let count = rule.count;
  for (let isMore = from < until; isMore; ) {
    const { occurrences, truncated } = expand(series, { from, until }, { limit: CHUNK });
    count -= occurrences.filter((occurrence) => occurrence.recurrenceId >= from).length;
    from = (occurrences.at(-1)?.recurrenceId ?? until) + 1;
    isMore = truncated;
  }
  return formatRule({ ...rule, count: Math.max(1, count) });
}

function before(event: StoredEvent, recurrenceId: string): (other: string) => boolean {
  const at = instantOf(recurrenceId, event.timezone);
  return (other) => instantOf(other, event.timezone) < at;
}
