import { DAY, MAX_TIME, MIN_TIME, readTimeText, readWallTime } from './civil.ts';
import { RecurrenceError } from './errors.ts';
import { parseRule } from './parse-rule.ts';
import type { Plan } from './plan.ts';
import { planOf } from './plan-cache.ts';
import { type Rule, type StartForm, UNTIL_FORMS } from './rule.ts';
import { spend } from './work.ts';
import { type Zone, zoneNamed } from './zone.ts';

/** Steps for parsing a series, besides the dates that it lists. */
const SERIES_STEPS = 10;

/**
 * A time in a series. A number is an instant in epoch ms. A text is `YYYY-MM-DDTHH:MM:SS`, a wall time of the series' zone;
 * the same with `Z`, an instant; or `YYYY-MM-DD`, the start of that day in the zone.
 */
export type Moment = string | number;

/** An RDATE. Without `end` it lasts as long as the first occurrence; with `end` it is a period with a length of its own. */
export interface ExtraDate {
  start: Moment;
  end?: Moment | null | undefined;
}

/** A changed occurrence (RECURRENCE-ID). It replaces the occurrence with that recurrence id. */
export interface Override {
  /** The original start of the occurrence. */
  recurrenceId: Moment;
  /** The new times. Without `start`, the start stays; without `end`, the occurrence lasts as long as the first one. */
  start?: Moment | null | undefined;
  end?: Moment | null | undefined;
  /** Whether the occurrence is cancelled, and so left out. */
  cancelled?: boolean | undefined;
  /** RANGE=THISANDFUTURE: applies the same shift, length or cancellation to every later occurrence, until the next such override. */
  thisAndFuture?: boolean | undefined;
}

/**
 * A recurring or single event. Pass the UTC timestamps of a database row as epoch ms. The rule steps by wall times, which are
 * computed from `zone`.
 */
export interface Series<O extends Override = Override> {
  /** The start of the first occurrence (DTSTART). All-day: a date, or the instant of its midnight. */
  start: Moment;
  /** The exclusive end of the first occurrence. Without it, an all-day occurrence lasts a day, and a timed one has no length. Each occurrence has the same length by the wall clock. */
  end?: Moment | null | undefined;
  /** An IANA name, an alias or a Windows name. Null means floating, which is computed as UTC. */
  zone: string | null;
  allDay?: boolean | undefined;
  /** The RRULE value, without the name. */
  rule?: string | null | undefined;
  rdates?: readonly (Moment | ExtraDate)[] | undefined;
  /** Exception dates: recurrence ids to remove, from the rule, an RDATE or the start, even if overridden. */
  exdates?: readonly Moment[] | undefined;
  overrides?: readonly O[] | undefined;
}

/** The fields of a series that determine its first occurrence. */
export type SeriesTimes = Pick<Series, 'start' | 'end' | 'zone' | 'allDay'>;

/** A range of recurrence ids with the same shift and length: the whole series, or the range of a THISANDFUTURE override. */
export interface Segment<O extends Override = Override> {
  /** The first and the last recurrence id (instants), inclusive. */
  from: number;
  to: number;
  /** The distance of an occurrence from its recurrence id, and its length, both by the wall clock. */
  shift: number;
  length: number;
  override: O | null;
}

/** A parsed and checked series. Instants and wall times are in ms. */
export interface ParsedSeries<O extends Override = Override> {
  zone: Zone;
  /** The start and end of the first occurrence as instants, exactly as given, and its start as a wall time. */
  start: number;
  end: number;
  wall: number;
  plan: Plan | null;
  /** The instant of UNTIL, after which the rule yields no occurrence. */
  until: number;
  /** Sorted and contiguous, without the cancelled ranges. */
  segments: Segment<O>[];
}

/** Returns the first occurrence of a series. Throws `RecurrenceError`. */
export function parseSingle(series: SeriesTimes): { start: number; end: number } {
  spend(SERIES_STEPS);
  const zone = zoneNamed(series.zone ?? 'UTC');
  const first = readStart(series.start, zone, series.allDay === true);
  return { start: first.instant, end: readEnd(series, zone, first).end };
}

/** Parses the first occurrence of a series, its rule and its THISANDFUTURE overrides. Throws `RecurrenceError`. */
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

/** Returns the end of the first occurrence, and its length by the wall clock. Throws `end-before-start`. */
function readEnd(series: SeriesTimes, zone: Zone, first: Start): { end: number; length: number } {
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
    // In a repeated hour the wall-clock end can be before the start. Then the elapsed time is the length.
    return { end: last.instant, length: real };
  }
  throw new RecurrenceError('end-before-start', 'The end is before the start');
}

/** Returns the end of an occurrence that starts at a wall time, by the wall clock. If a gap puts it before the start, it moves forward with the start. */
export function endOf(zone: Zone, wall: number, start: number, length: number): number {
  if (length === 0) return start;
  const end = zone.toUtc(wall + length);
  return end > start ? end : zone.toUtc(zone.toLocal(start) + length);
}

/** Returns the instant of a moment. Throws `invalid-time`. */
export function instantOf(moment: Moment, zone: Zone): number {
  if (typeof moment === 'number') return checkInstant(moment);
  const { form, at } = readTimeText(moment);
  return form === 'utc' ? at : zone.toUtc(at);
}

/** Returns the form of start that a series has. */
export function startForm(series: { zone: string | null; allDay?: boolean | undefined }): StartForm {
  if (series.allDay) return 'date';
  return series.zone === null ? 'floating' : 'zoned';
}

/**
 * Returns the rule with its UNTIL in the form that the series requires, for imported rules with another form. A local time or
 * a date (its midnight) is read in the zone of the series; in an all-day series, a time becomes its day. Throws `unknown-zone`.
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
  if (!allDay) {
    // Most stored times have this form.
    const wall = readWallTime(moment);
    if (!Number.isNaN(wall)) return atWall(wall, zone);
  }
  const { form, at } = readTimeText(moment);
  if ((form === 'date') !== allDay) {
    throw new RecurrenceError(
      'invalid-time',
      `${allDay ? 'An all-day series must start and end on dates' : 'A timed series must start and end at times'}: ${moment}`,
    );
  }
  if (form === 'utc') return { wall: zone.toLocal(at), instant: at };
  return atWall(at, zone);
}

function atWall(wall: number, zone: Zone): Start {
  return { wall, instant: zone.toUtc(wall) };
}

/** Returns the instant if it is in whole milliseconds and in the years 1 to 9999. Throws `invalid-time`. */
function checkInstant(instant: number): number {
  if (Number.isInteger(instant) && instant >= MIN_TIME && instant <= MAX_TIME) return instant;
  throw new RecurrenceError(
    'invalid-time',
    `An instant must be whole milliseconds in the years 1 to 9999: ${instant}`,
  );
}
