import {
  alignUntil,
  expand,
  formatRule,
  parseRule,
  RecurrenceError,
  type Series,
  spanOf,
} from '@firmdesk/recurrence';
import { DAY_MS } from '../../platform/process/clock.ts';
import { isTooMuchWork } from '../tasks/too-much-work.ts';
import type { Component } from './components.ts';
import { propertyNameOf } from './content-line.ts';
import { type Property, readProperty } from './properties.ts';

/** When a STANDARD or DAYLIGHT begins: at a wall time of the offset before. Offsets and times are in ms. */
export interface Onset {
  wall: number;
  before: number;
  offset: number;
}

/** The maximum number of RDATE values of a STANDARD or DAYLIGHT that are read. */
const MAX_LISTED = 1_000;

const MAX_OBSERVANCES = 200;

/** A STANDARD or DAYLIGHT of a VTIMEZONE. */
export interface Observance {
  start: string;
  rule: string | null;
  /** The wall times of its RDATEs, in ms. */
  listed: number[];
  before: number;
  offset: number;
}

/** Returns the observances of a VTIMEZONE (RFC 5545 §3.6.5), without invalid ones. */
export function observancesOf(definition: Component): Observance[] {
  return definition.children.slice(0, MAX_OBSERVANCES).flatMap((component) => {
    const offset = offsetOf(textIn(component, 'TZOFFSETTO'));
    const [start] = wallTimesIn(component, 'DTSTART');
    if (offset === null || start === undefined) return [];
    const listed = wallTimesIn(component, 'RDATE')
      .slice(0, MAX_LISTED)
      .map((text) => Date.parse(`${text}Z`))
      .filter((wall) => !Number.isNaN(wall));
    const before = offsetOf(textIn(component, 'TZOFFSETFROM')) ?? offset;
    return { start, rule: textIn(component, 'RRULE'), listed, before, offset };
  });
}

/** Returns the onsets of a VTIMEZONE around a year, and its first one, in order. */
export function onsetsOf(observances: readonly Observance[], year: number): Onset[] {
  return observances
    .flatMap(({ before, offset, listed, start, rule }) =>
      [...listed, ...ruleOnsets(start, rule, year)].map((wall) => ({ wall, before, offset })),
    )
    .sort((a, b) => a.wall - b.wall);
}

/** Returns the offset of a zone at a wall time: that of the last onset, and before the first one what it begins from. */
export function offsetAt(onsets: readonly Onset[], wall: number): number {
  const last = onsets.findLast((onset) => onset.wall <= wall);
  if (!last) return onsets[0]!.before;
  // A wall time that does not exist has the offset before the gap (RFC 5545 §3.3.5).
  return wall < last.wall + (last.offset - last.before) ? last.before : last.offset;
}

/** Returns the start of an observance, and the onsets of its rule around the given year, or the last ones before it. */
function ruleOnsets(start: string, rule: string | null, year: number): number[] {
  const series: Series = { start, zone: null };
  try {
    if (rule) series.rule = formatRule(alignUntil(parseRule(rule), series));
    const { start: first, end } = spanOf(series);
    const last = Math.min(end ?? Number.POSITIVE_INFINITY, Date.UTC(year + 1, 0, 1));
    const { occurrences } = expand(series, { from: last - 2 * 366 * DAY_MS, until: last + 1 });
    return [first, ...occurrences.map((occurrence) => occurrence.start)];
  } catch (error) {
    if (error instanceof RecurrenceError && !isTooMuchWork(error)) return [];
    throw error;
  }
}

/** Returns the times of a property, as written and without a zone. */
function wallTimesIn(component: Component, name: string): string[] {
  return propertiesIn(component, name).flatMap(({ values }) =>
    values.flatMap((value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(String(value))?.[0] ?? []),
  );
}

/** Returns an offset such as `+0530` or `-043000` in ms, or null if it is invalid. */
export function offsetOf(text: string | null): number | null {
  const match = /^([+-])(\d\d):?(\d\d)(?::?(\d\d))?$/.exec(text ?? '');
  if (!match) return null;
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0);
  return (match[1] === '-' ? -seconds : seconds) * 1000;
}

/** Returns the value of the first property with a name, or null. */
export function textIn(component: Component, name: string): string | null {
  const value = propertiesIn(component, name)[0]?.values[0];
  return typeof value === 'string' ? value : null;
}

function propertiesIn(component: Component, name: string): Property[] {
  return component.lines
    .filter(({ text }) => propertyNameOf(text) === name)
    .flatMap((line) => readProperty(line) ?? []);
}
