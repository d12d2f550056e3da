import { DAY, FIRST_MOMENT, LAST_MOMENT, readTimeText } from './civil.ts';
import { RecurrenceError } from './errors.ts';
import { parseRule } from './parse-rule.ts';
import type { Plan } from './plan.ts';
import { planOf } from './plan-cache.ts';
import { type Rule, type StartForm, UNTIL_FORMS } from './rule.ts';
import { spend } from './work.ts';
import { type Zone, zoneNamed } from './zone.ts';

/** What parsed a series costs, beside the dates that it lists. */
const SERIES_STEPS = 10;

/**
 * A time in a series. A number is an instant in epoch ms. A text is `YYYY-MM-DDTHH:MM:SS`, the wall time of the series' zone;
 * the same with `Z`, an instant; or `YYYY-MM-DD`, the midnight with which that day begins in the zone.
 */
export type Moment = string | number;

/** An RDATE: without `end` it lasts as long as the first occurrence, otherwise (a period) as long as it says. */
export interface ExtraDate {
  start: Moment;
  end?: Moment | null | undefined;
}

/** One occurrence that was changed (RECURRENCE-ID): it replaces the recurrence id at `recurrenceId`. */
export interface Override {
  /** Where the rule had placed it. */
  recurrenceId: Moment;
  /** Its own times; without `start` the recurrence id's, without `end` as long as the first occurrence. */
  start?: Moment | null | undefined;
  end?: Moment | null | undefined;
  /** A cancelled one is left out. */
  cancelled?: boolean | undefined;
  /** RANGE=THISANDFUTURE: every later recurrence id is moved, lengthened or cancelled in the same way, up to the next such override. */
  thisAndFuture?: boolean | undefined;
}

/**
 * A repeating (or single) event. A database row with UTC timestamps is given as epoch ms, without conversion; the wall times
 * by which the rule steps are worked out from `zone`.
 */
export interface Series<O extends Override = Override> {
  /** The first occurrence, DTSTART. All-day: a date, or the instant of its midnight. */
  start: Moment;
  /** Its end, exclusive. Without one it has no length; an all-day one lasts a day. Every occurrence ends at this wall-clock end. */
  end?: Moment | null | undefined;
  /** IANA, alias or Windows name; null = floating, reckoned as if UTC. */
  zone: string | null;
  allDay?: boolean | undefined;
  /** The RRULE value, without the name. */
  rule?: string | null | undefined;
  rdates?: readonly (Moment | ExtraDate)[] | undefined;
  /** Slots taken away, whether the rule, an RDATE or the start made them, and whether or not they were overridden. */
  exdates?: readonly Moment[] | undefined;
  overrides?: readonly O[] | undefined;
}

/** A segment of recurrence ids that are treated alike: all of a series, or what an override of this and future ones changed. */
export interface Segment<O extends Override = Override> {
  /** Slots (instants) from `from` to `to`, both included. */
  from: number;
  to: number;
  /** How far, by the wall clock, its occurrences are moved from their recurrence ids, and how long they last. */
  shift: number;
  length: number;
  override: O | null;
}

/** A series read and checked: instants and wall times in ms. */
export interface ParsedSeries<O extends Override = Override> {
  zone: Zone;
  /** The first occurrence as instants, exactly as given, and its start by the wall clock. */
  start: number;
  end: number;
  wall: number;
  plan: Plan | null;
  /** Instant after which the rule yields nothing more. */
  until: number;
  /** In order of time, without gaps, the cancelled ones left out. */
  segments: Segment<O>[];
}

/** Reads what a series says of its first occurrence, its rule and its changes for good. Throws `RecurrenceError`. */
export function parseSeries<O extends Override>(series: Series<O>): ParsedSeries<O> {
  spend(SERIES_STEPS);
  const zone = zoneNamed(series.zone ?? 'UTC');
  const first = readStart(series.start, zone, series.allDay === true);
  const { end, length } = readEnd(series, zone, first);
  const parsed: ParsedSeries<O> = {
    zone,
    start: first.instant,
    end,
    wall: first.wall,
    plan: null,
    until: Number.POSITIVE_INFINITY,
    segments: readSegments(series.overrides, zone, length),
  };
  if (series.rule) {
    const rule = parseRule(series.rule, startForm(series));
    parsed.plan = planOf(rule, first.wall);
    if (rule.until) parsed.until = rule.until.form === 'utc' ? rule.until.at : zone.toUtc(rule.until.at);
  }
  return parsed;
}

function readSegments<O extends Override>(
  overrides: readonly O[] | undefined,
  zone: Zone,
  length: number,
): Segment<O>[] {
  const segments: Segment<O>[] = [
    { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, shift: 0, length, override: null },
  ];
  if (!overrides?.some((override) => override.thisAndFuture)) return segments;
  for (const override of overrides) {
    if (!override.thisAndFuture) continue;
    const from = instantOf(override.recurrenceId, zone);
    const start = zone.toLocal(override.start == null ? from : instantOf(override.start, zone));
    const end = override.end == null ? start + length : zone.toLocal(instantOf(override.end, zone));
    const shift = start - zone.toLocal(from);
    segments.push({ from, to: Number.POSITIVE_INFINITY, shift, length: Math.max(0, end - start), override });
  }
  segments.sort((a, b) => a.from - b.from);
  for (let index = 1; index < segments.length; index++) {
    segments[index - 1]!.to = segments[index]!.from - 1;
  }
  return segments.filter((segment) => !segment.override?.cancelled);
}

interface Start {
  wall: number;
  instant: number;
}

/** The end of the first occurrence, and its length by the wall clock. Throws `end-before-start`. */
function readEnd(series: Series, zone: Zone, first: Start): { end: number; length: number } {
  const allDay = series.allDay === true;
  const given = series.end == null ? first : readStart(series.end, zone, allDay);
  const last = allDay && given.wall === first.wall ? atWall(first.wall + DAY, zone) : given;
  const byClock = last.wall - first.wall;
  const real = last.instant - first.instant;
  if (byClock > 0) {
    if (real > 0) return { end: last.instant, length: byClock };
    const inGap = zone.toLocal(first.instant) !== first.wall;
    if (inGap) return { end: endOf(zone, first.wall, first.instant, byClock), length: byClock };
  } else if (real > 0 || (real === 0 && byClock === 0)) {
    // Across a repeated hour the clock may show an end before the start; the real length counts then.
    return { end: last.instant, length: real };
  }
  throw new RecurrenceError('end-before-start', 'The end lies before the start');
}

/** The end of an occurrence that starts at a wall time: by the wall clock; where a gap would put it before the start, it moves as the start did. */
export function endOf(zone: Zone, wall: number, start: number, length: number): number {
  if (length === 0) return start;
  const end = zone.toUtc(wall + length);
  return end > start ? end : zone.toUtc(zone.toLocal(start) + length);
}

/** The instant of a moment. Throws `invalid-time`. */
export function instantOf(moment: Moment, zone: Zone): number {
  if (typeof moment === 'number') return checkInstant(moment);
  const { form, at } = readTimeText(moment);
  return form === 'utc' ? at : zone.toUtc(at);
}

/** Which form of start a series has, and so which form of UNTIL. */
export function startForm(series: { zone: string | null; allDay?: boolean | undefined }): StartForm {
  if (series.allDay) return 'date';
  return series.zone === null ? 'floating' : 'zoned';
}

/**
 * The rule with its UNTIL in the form that the series demands, for importing what senders write wrong: a local time or a date
 * (its midnight) is read in the series' zone, a time in an all-day series as its day. Throws `unknown-zone`.
 */
export function alignUntil(rule: Rule, series: { zone: string | null; allDay?: boolean | undefined }): Rule {
  const { until } = rule;
  const form = UNTIL_FORMS[startForm(series)];
  if (!until || until.form === form) return rule;
  const zone = zoneNamed(series.zone ?? 'UTC');
  const wall = until.form === 'utc' ? zone.toLocal(until.at) : until.at;
  const at = form === 'date' ? Math.floor(wall / DAY) * DAY : form === 'utc' ? zone.toUtc(wall) : wall;
  return { ...rule, until: { form, at } };
}

function readStart(moment: Moment, zone: Zone, allDay: boolean): Start {
  if (typeof moment === 'number') {
    const instant = checkInstant(moment);
    const wall = zone.toLocal(instant);
    return allDay ? atWall(Math.floor(wall / DAY) * DAY, zone) : { wall, instant };
  }
  const { form, at } = readTimeText(moment);
  if ((form === 'date') !== allDay) {
    throw new RecurrenceError(
      'invalid-time',
      `${allDay ? 'An all-day series starts and ends on dates' : 'A timed series needs a time'}: ${moment}`,
    );
  }
  if (form === 'utc') return { wall: zone.toLocal(at), instant: at };
  return atWall(at, zone);
}

function atWall(wall: number, zone: Zone): Start {
  return { wall, instant: zone.toUtc(wall) };
}

/** Instants from year 1 to year 9999. */
function checkInstant(instant: number): number {
  if (Number.isInteger(instant) && instant >= FIRST_MOMENT && instant <= LAST_MOMENT) return instant;
  throw new RecurrenceError('invalid-time', `Not an instant in whole milliseconds: ${instant}`);
}
