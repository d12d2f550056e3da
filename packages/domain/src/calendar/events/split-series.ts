import { expand, formatRule, nextAfter, parseRule } from '@firmdesk/recurrence';
import { sql } from 'kysely';
import { DAY_MS } from '../../platform/process/clock.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { nextSequence } from '../invitations/invitation-version.ts';
import { limitChangeWork } from '../tasks/limit-change-work.ts';
import { insertEvents } from './insert-events.ts';
import type { StoredEvent } from './new-event.ts';
import { isFirstOccurrence, shiftTime, unmodifiedSeries } from './recurrence-id.ts';
import { saveChanged } from './save-changed.ts';
import { instantOf, storedDay, storedTime, wallTimeOf } from './stored-time.ts';

/** The number of occurrences that are counted at a time. */
const CHUNK = 100_000;

/**
 * Ends a series before an occurrence, and creates a second series that continues from there, with the same reminders and tags.
 * Returns the second series. For the first occurrence, the series itself is returned unchanged.
 */
export async function splitSeries(
  ctx: AccountContext,
  event: StoredEvent,
  recurrenceId: string,
): Promise<{ tail: StoredEvent; tailId: number }> {
  if (isFirstOccurrence(event, recurrenceId)) return { tail: event, tailId: event.id! };
  await saveChanged(
    ctx,
    event,
    limitChangeWork(() => endSeriesBefore(event, recurrenceId)),
  );
  const tail = limitChangeWork(() => startSeriesAt(event, recurrenceId));
  const [tailId] = await insertEvents(ctx, ctx.workspace.id, [tail]);
  const db = ctx.db;
  await sql`
    insert into event_reminders (workspace_id, event_id, user_id, minutes_before, channel, due_at, done_until)
    select workspace_id, ${tailId}, user_id, minutes_before, channel, null, done_until
    from event_reminders where workspace_id = ${ctx.workspace.id} and event_id = ${event.id}`.execute(db);
  await sql`
    insert into event_tags (workspace_id, event_id, tag_id)
    select workspace_id, ${tailId}, tag_id from event_tags
    where workspace_id = ${ctx.workspace.id} and event_id = ${event.id}`.execute(db);
  return { tail: { ...tail, id: tailId! }, tailId: tailId! };
}

/** Returns the series without the occurrences from a recurrence id on, which must not be the first. */
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
    sequence: nextSequence(event),
    recurrence_rule: rule,
    rdates: event.rdates.filter((date) => isEarlier(typeof date === 'string' ? date : date.start)),
    exdates: event.exdates.filter(isEarlier),
    overrides: event.overrides.filter(({ occurrence_start }) => isEarlier(occurrence_start)),
  };
}

/** Returns the part of a series from a recurrence id on, as a new event. */
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

/** Returns the first occurrence of the rule at or after a recurrence id, which can be an added date. The rule of the new series must start there to keep its steps. */
function ruleOccurrenceFrom(event: StoredEvent, recurrenceId: string): string | null {
  if (!event.recurrence_rule) return null;
  const next = nextAfter({ ...unmodifiedSeries(event), rdates: [] }, instantOf(recurrenceId, event.timezone));
  if (!next) return null;
  const { recurrenceId: start } = next;
  return event.all_day ? storedDay(start, event.timezone) : storedTime(start, event.timezone);
}

/** Returns the rule from a recurrence id on. Its COUNT is reduced by the occurrences before. */
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

/** Returns a function that tells whether a time is before a recurrence id. */
function before(event: StoredEvent, recurrenceId: string): (other: string) => boolean {
  const at = instantOf(recurrenceId, event.timezone);
  return (other) => instantOf(other, event.timezone) < at;
}
