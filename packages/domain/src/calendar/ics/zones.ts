import {
  alignUntil,
  expand,
  formatRule,
  parseRule,
  RecurrenceError,
  resolveZone,
  type Series,
  spanOf,
  utcToLocal,
} from '@firmdesk/recurrence';
import { DAY_MS } from '../../platform/clock.ts';
import { isTooMuchWork } from '../tasks/too-much-work.ts';
import { type Component, componentsNamed } from './components.ts';
import { IcsError } from './properties.ts';

/** The maximum number of custom VTIMEZONEs in a document. Matching one takes some milliseconds. */
const MAX_CUSTOM_ZONES = 20;

/** Preferred zones if several zones match a VTIMEZONE. */
const PREFERRED = [
  'Europe/London',
  'Europe/Berlin',
  'Europe/Athens',
  'Europe/Moscow',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Sao_Paulo',
  'Asia/Dubai',
  'Asia/Kolkata',
  'Asia/Singapore',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Pacific/Auckland',
];

/** Returns the IANA zone of a TZID in a year. Throws `IcsError` if there is none. */
export type ZoneFinder = (tzid: string, year: number) => string;

/**
 * Returns the zone finder of a document. The name of an IANA or Windows zone means that zone, even if its VTIMEZONE differs.
 * Any other TZID means an IANA zone with the same offsets as its VTIMEZONE in the given year.
 */
export function zoneFinder(document: readonly Component[]): ZoneFinder {
  const definitions = new Map<string, Component>();
  for (const component of componentsNamed('VTIMEZONE', document)) {
    const tzid = lineValue(component, 'TZID');
    if (tzid !== null && definitions.size < MAX_CUSTOM_ZONES) definitions.set(tzid, component);
  }
  const matched = new Map<string, string | null>();
  return (tzid, year) => {
    const named = resolveZone(tzid);
    if (named !== null) return named;
    const definition = definitions.get(tzid);
    const shown = JSON.stringify(tzid.slice(0, 80));
    if (!definition)
      throw new IcsError(`the time zone ${shown} is unknown and the document has no VTIMEZONE for it`);
    const key = `${year} ${tzid}`;
    let zone = matched.get(key);
    if (zone === undefined) {
      zone = matched.size < MAX_CUSTOM_ZONES ? zoneLike(definition, year) : null;
      matched.set(key, zone);
    }
    if (zone === null) throw new IcsError(`no IANA time zone has the offsets of the time zone ${shown}`);
    return zone;
  };
}

function zoneLike(definition: Component, year: number): string | null {
  const hint = resolveZone(lineValue(definition, 'X-LIC-LOCATION') ?? '');
  if (hint !== null) return hint;
  const samples = samplesOf(definition, year);
  if (!samples) return null;
  const first = samples[0]!.offset;
  const isFixed = samples.every(({ offset }) => offset === first);
  const candidates = [
    ...(isFixed && first % 3_600_000 === 0 ? [fixedZone(first / 3_600_000)] : []),
    ...PREFERRED,
    ...Intl.supportedValuesOf('timeZone'),
  ];
  return (
    candidates.find((name) =>
      samples.every(({ instant, offset }) => utcToLocal(instant, name) - instant === offset),
    ) ?? null
  );
}

/** Returns the zone with a fixed offset. The names of POSIX zones have the opposite sign. */
function fixedZone(hours: number): string {
  return hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

interface Sample {
  instant: number;
  offset: number;
}

/** Returns the offsets of a definition on two days of each month of a year, or null if it is invalid. */
function samplesOf(definition: Component, year: number): Sample[] | null {
  const changes = definition.children.flatMap((observance) => changesOf(observance, year));
  if (changes.length === 0) return null;
  changes.sort((a, b) => a.wall - b.wall);
  const samples: Sample[] = [];
  for (let month = 0; month < 12; month++) {
    for (const day of [4, 18]) {
      const wall = Date.UTC(year, month, day, 12);
      const { offset } = changes.findLast((change) => change.wall <= wall) ?? changes[0]!;
      samples.push({ instant: wall - offset, offset });
    }
  }
  return samples;
}

interface Change {
  /** The wall time, with the offset before, from which the offset applies; ms. */
  wall: number;
  offset: number;
}

/** Returns when a STANDARD or DAYLIGHT begins: around the given year, or the last time before it. */
function changesOf(observance: Component, year: number): Change[] {
  const offset = offsetOf(lineValue(observance, 'TZOFFSETTO'));
  const start = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/.exec(lineValue(observance, 'DTSTART') ?? '');
  if (offset === null || !start) return [];
  const [, y, mo, d, h, mi, s] = start;
  const series: Series = { start: `${y}-${mo}-${d}T${h}:${mi}:${s}`, zone: null };
  try {
    const rule = lineValue(observance, 'RRULE');
    if (rule) series.rule = formatRule(alignUntil(parseRule(rule), series));
    const { start: first, end } = spanOf(series);
    const last = Math.min(end ?? Number.POSITIVE_INFINITY, Date.UTC(year + 1, 0, 1));
    const { occurrences } = expand(series, { from: last - 2 * 366 * DAY_MS, until: last + 1 });
    return [first, ...occurrences.map((occurrence) => occurrence.start)].map((wall) => ({ wall, offset }));
  } catch (error) {
    if (error instanceof RecurrenceError && !isTooMuchWork(error)) return [];
    throw error;
  }
}

/** Returns an offset such as `+0530` or `-043000` in ms, or null if it is invalid. */
function offsetOf(text: string | null): number | null {
  const match = /^([+-])(\d\d)(\d\d)(\d\d)?$/.exec(text ?? '');
  if (!match) return null;
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0);
  return (match[1] === '-' ? -seconds : seconds) * 1000;
}

/** Returns the value of the first property with a name, or null. */
function lineValue(component: Component, name: string): string | null {
  for (const { text } of component.lines) {
    const match = /^([\w-]+)(?:;[^:]*)?:(.*)$/.exec(text);
    if (match?.[1]?.toUpperCase() === name) return match[2]!.trim();
  }
  return null;
}
