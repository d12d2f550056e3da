import { type FoundEvents, foldSearchText, MAX_FOUND_EVENTS } from '@firmdesk/contract';
import { CompiledQuery, sql } from 'kysely';
import { LoopYielder } from '../../platform/process/loop-yielder.ts';
import { containing, distinctWords } from '../../platform/search/search-text.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { ACCESSIBLE_CALENDARS } from '../calendars/access-level.ts';
import { isRecurring, type OverrideColumns } from '../events/series.ts';
import { type Appearance, appearanceOf, appearanceOfOverride } from './appearance.ts';
import type { FoundRow } from './found-row.ts';

/** The most series whose next appearance is looked for. */
const MAX_SERIES = 200;
/** The most overrides of these that are read. */
const MAX_OVERRIDES = 20_000;

const IS_SERIES = `(e.recurrence_rule is not null or e.added_dates <> '[]')`;
const IS_OVER = `coalesce(e.span_end < $4::timestamptz, false)`;

/** A row without a search text, which a process of an earlier version has written, is folded here: its case and its accents. */
const matches = (row: string) =>
  `coalesce(${row}.search_text, regexp_replace(
    normalize(lower(concat_ws(chr(10), ${row}.title, ${row}.location)), NFKD), '[\\u0300-\\u036f]', '', 'g')) like all($3::text[])`;

/** The events that have the words, at most as many of each sort as can be in the answer, and the overrides that have them where their series has not. */
const FIND = `
  with readable as materialized (select id from (${ACCESSIBLE_CALENDARS}) r where level <> 'busy'),
  matching as materialized (
    select e.id, e.calendar_id, e.title, e.location, e.local_start, e.local_end, e.all_day, e.timezone, e.recurrence_rule,
      e.added_dates, e.removed_dates, e.span_start, e.span_end, ${IS_SERIES} as is_series, ${IS_OVER} as is_over
    from readable r join events e on e.workspace_id = $2 and e.calendar_id = r.id
    where ${matches('e')}),
  changed as (
    select e.id, e.calendar_id, coalesce(o.title, e.title) as title, coalesce(o.location, e.location) as location,
      e.local_start, e.local_end, e.all_day, e.timezone, e.recurrence_rule, e.added_dates, e.removed_dates, o.span_start, o.span_end,
      jsonb_build_object('occurrence_start', o.occurrence_start, 'local_start', o.local_start, 'local_end', o.local_end,
        'all_day', o.all_day) as override
    from readable r
    join event_overrides o on o.workspace_id = $2 and o.calendar_id = r.id
    join events e on e.workspace_id = $2 and e.id = o.event_id
    where not o.cancelled and ${matches('o')} and not exists (select from matching m where m.id = e.id)
    order by coalesce(o.span_end < $4::timestamptz, false), abs(extract(epoch from o.span_start - $4::timestamptz))
    limit ${MAX_SERIES})
  (select m.*, null::jsonb as override from matching m where is_series order by is_over, span_start desc, id limit ${MAX_SERIES})
  union all
  (select m.*, null from matching m where not is_series and not is_over order by span_start, id limit ${MAX_FOUND_EVENTS + 1})
  union all
  (select m.*, null from matching m where not is_series and is_over order by span_start desc, id limit ${MAX_FOUND_EVENTS + 1})
  union all
  select id, calendar_id, title, location, local_start, local_end, all_day, timezone, recurrence_rule, added_dates, removed_dates,
    span_start, span_end, true, false, override
  from changed`;

/** Returns the events with all words of a text, in the calendars that the caller can read: each once, those to come first. */
export async function searchEvents(ctx: AccountContext, { q }: { q: string }): Promise<FoundEvents> {
  const words = distinctWords(foldSearchText(q));
  if (words.length === 0) return { data: [], meta: { has_more: false } };
  const { identity, workspace, now } = ctx;
  const { rows } = await ctx.db.executeQuery<FoundRow>(
    CompiledQuery.raw(FIND, [identity.user.id, workspace.id, words.map(containing), now.toISOString()]),
  );
  const found = sorted(await appearancesOf(ctx, rows), now.getTime());
  return {
    data: found.slice(0, MAX_FOUND_EVENTS).map(toFoundEvent),
    meta: { has_more: found.length > MAX_FOUND_EVENTS },
  };
}

async function appearancesOf(ctx: AccountContext, rows: readonly FoundRow[]): Promise<Appearance[]> {
  const series = rows.filter((row) => isRecurring(row) && !row.override).map(({ id }) => id);
  const overrides = await overridesOf(ctx, series);
  const now = ctx.now.getTime();
  const yielder = new LoopYielder();
  const byEvent = new Map<number, Appearance>();
  for (const row of rows) {
    await yielder.yieldIfDue();
    const appearance = row.override
      ? appearanceOfOverride(row, row.override)
      : appearanceOf(row, overrides(row.id), now);
    const other = byEvent.get(row.id);
    if (!other || compare(appearance, other, now) < 0) byEvent.set(row.id, appearance);
  }
  return [...byEvent.values()];
}

/** Returns the overrides of each of some series; null for those of which not all were read. */
async function overridesOf(
  { db, workspace }: AccountContext,
  ids: readonly number[],
): Promise<(id: number) => OverrideColumns[] | null> {
  const { rows } = await sql<OverrideColumns & { event_id: number }>`
    select event_id, occurrence_start, cancelled, this_and_future, local_start, local_end, all_day, title, null as description,
      location, status
    from event_overrides where workspace_id = ${workspace.id} and event_id = any(${ids}::bigint[])
    order by event_id limit ${MAX_OVERRIDES}`.execute(db);
  const byEvent = Map.groupBy(rows, ({ event_id }) => event_id);
  const cut = rows.length < MAX_OVERRIDES ? Number.POSITIVE_INFINITY : rows.at(-1)!.event_id;
  return (id) => (id < cut ? (byEvent.get(id) ?? []) : null);
}

function sorted(found: readonly Appearance[], now: number): Appearance[] {
  return found.toSorted((a, b) => compare(a, b, now));
}

/** Those to come first, the next one first; then those that are over, the last one first. */
function compare(a: Appearance, b: Appearance, now: number): number {
  const [isOverA, isOverB] = [a.end < now, b.end < now];
  if (isOverA !== isOverB) return isOverA ? 1 : -1;
  return (isOverA ? b.start - a.start : a.start - b.start) || a.row.id - b.row.id;
}

function toFoundEvent({ row, recurrenceId, start, end, ...shown }: Appearance): FoundEvents['data'][number] {
  const iso = (instant: number) => new Date(instant).toISOString();
  return {
    object: 'found_event',
    id: row.id,
    occurrence_start: recurrenceId === null ? null : iso(recurrenceId),
    calendar_id: row.calendar_id,
    title: shown.title,
    location: shown.location,
    starts_at: iso(start),
    ends_at: iso(end),
    all_day: shown.allDay,
    timezone: row.timezone,
    is_recurring: isRecurring(row),
  };
}
