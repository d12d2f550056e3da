import { resolveZone, utcToLocal } from '@firmdesk/recurrence';
import { DAY_MS } from '../../platform/process/clock.ts';
import { type Onset, offsetAt } from './zone-definition.ts';

/** The maximum number of onsets of a year that are compared. */
const MAX_ONSETS = 20;

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

interface Sample {
  instant: number;
  offset: number;
}

/** Returns the names of all IANA zones, the preferred ones first. */
export function allZones(): string[] {
  return [...PREFERRED, ...Intl.supportedValuesOf('timeZone')];
}

/** Returns the first of some zones that has the offsets of some onsets in a year, to the day, or null. */
export function zoneWithOnsets(
  onsets: readonly Onset[],
  year: number,
  zones: Iterable<string>,
): string | null {
  const samples = samplesOf(onsets, year);
  const first = samples[0]!.offset;
  const isFixed = samples.every(({ offset }) => offset === first);
  const candidates = [
    ...(isFixed && first % 3_600_000 === 0 ? [fixedZone(first / 3_600_000)] : []),
    ...zones,
  ];
  return (
    candidates.find((name) => samples.every(({ instant, offset }) => offsetIn(name, instant) === offset)) ??
    null
  );
}

/** Returns the offset of a zone at an instant, or null for a zone that does not exist. */
function offsetIn(zone: string, instant: number): number | null {
  return resolveZone(zone) === null ? null : utcToLocal(instant, zone) - instant;
}

/** Returns the zone with a fixed offset in hours. The names of POSIX zones have the opposite sign. */
export function fixedZone(hours: number): string {
  return hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

/** Returns the offsets on two days of each month of a year, and on the days before and after each onset in it. */
function samplesOf(onsets: readonly Onset[], year: number): Sample[] {
  const walls = Array.from({ length: 24 }, (_, i) => Date.UTC(year, i >> 1, i % 2 === 0 ? 4 : 18, 12));
  const [from, until] = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)];
  const inYear = onsets.filter(({ wall }) => wall >= from && wall < until).slice(0, MAX_ONSETS);
  for (const { wall } of inYear) walls.push(wall - DAY_MS, wall + DAY_MS);
  return walls.map((wall) => {
    const offset = offsetAt(onsets, wall);
    return { instant: wall - offset, offset };
  });
}
