import { resolveZone, utcToLocal } from '@firmdesk/recurrence';
import { offsetOf } from './zone-definition.ts';
import { fixedZone } from './zone-with-onsets.ts';

/** Names of UTC in calendars of well-known software. */
const UTC_NAMES = new Set([
  'z',
  'zulu',
  'utc',
  'utc0',
  'gmt',
  'gmt0',
  'coordinated universal time',
  'tzone://microsoft/utc',
]);

/** The names of zones without a city that IANA knows, as Windows and others show them. */
const TIMES: Readonly<Record<string, string>> = {
  'eastern time (us & canada)': 'America/New_York',
  'central time (us & canada)': 'America/Chicago',
  'mountain time (us & canada)': 'America/Denver',
  'pacific time (us & canada)': 'America/Los_Angeles',
  'atlantic time (canada)': 'America/Halifax',
  newfoundland: 'America/St_Johns',
  alaska: 'America/Anchorage',
  brasilia: 'America/Sao_Paulo',
  'west central africa': 'Africa/Lagos',
  ekaterinburg: 'Asia/Yekaterinburg',
  pretoria: 'Africa/Johannesburg',
  hawaii: 'Pacific/Honolulu',
  arizona: 'America/Phoenix',
  'indiana (east)': 'America/Indiana/Indianapolis',
  'baja california': 'America/Tijuana',
  saskatchewan: 'America/Regina',
  'central america': 'America/Guatemala',
};

/** The zones that have had an offset (minutes) of no whole hours for decades. */
const ODD_OFFSETS: Readonly<Record<number, string>> = {
  270: 'Asia/Kabul',
  330: 'Asia/Kolkata',
  345: 'Asia/Kathmandu',
  390: 'Asia/Yangon',
  525: 'Australia/Eucla',
  570: 'Australia/Darwin',
};

const MAX_OFFSET_HOURS = 14;
const MAX_NAME_LENGTH = 200;

/**
 * Returns the zone that a TZID means if its name has one meaning, though it is none of IANA or Windows: an IANA zone, or only an offset (ms).
 * These are names of UTC, offsets, names with blanks or quotes around them, copies of Windows zones (`W. Europe Standard Time 1`), and
 * names as Windows shows them (`(UTC+01:00) Amsterdam, Berlin`).
 */
export function zoneOfName(tzid: string): string | { offset: number } | null {
  if (tzid.length > MAX_NAME_LENGTH) return null;
  const name = tzid.replace(/^[\s"']+|(?<![\s"'])[\s"']+$/g, '');
  const lower = name.toLowerCase();
  if (UTC_NAMES.has(lower)) return 'UTC';
  const known =
    resolveZone(name) ??
    resolveZone(name.replaceAll(' ', '_')) ??
    resolveZone(name.replace(/( Time(?: \([\w ]{1,30}\))?) \d{1,3}$/, '$1')) ??
    TIMES[lower];
  return known ?? zoneOfOffset(name) ?? zoneOfDisplayName(name);
}

/** Returns the zone of `+0200`, `UTC+02:00`, `GMT-5` and the like. */
function zoneOfOffset(name: string): string | { offset: number } | null {
  const match = /^(?:UTC|GMT)? ?([+\-\u2212±])(\d{1,2})(?::?(\d\d))?$/i.exec(name);
  if (!match) return null;
  const [, sign, hours, minutes = '00'] = match;
  const offset = offsetOf(`${sign === '+' || sign === '±' ? '+' : '-'}${hours!.padStart(2, '0')}${minutes}`);
  if (offset === null || Math.abs(offset) > MAX_OFFSET_HOURS * 3_600_000) return null;
  if (offset % 3_600_000 === 0)
    return Math.abs(offset) > 12 * 3_600_000 && offset < 0 ? { offset } : fixedZone(offset / 3_600_000);
  return ODD_OFFSETS[offset / 60_000] ?? { offset };
}

/** Returns the zone of `(UTC+01:00) Amsterdam, Berlin`: that of the first city that IANA knows with this offset in its standard time. */
function zoneOfDisplayName(name: string): string | { offset: number } | null {
  const match = /^\((?:UTC|GMT) ?([+\-\u2212±]\d\d[:.]?\d\d)?\) ?(.*)$/i.exec(name);
  if (!match) return null;
  const [, stated, places = ''] = match;
  const offset =
    stated === undefined ? 0 : offsetOf(stated.replace('\u2212', '-').replace('±', '+').replace('.', ':'));
  if (offset === null) return null;
  const listed = places
    .replace(/^[^:]*: /, '')
    .split(/[,;/]/)
    .map((place) => place.trim())
    .slice(0, 10);
  if (places === '') return zoneOfOffset(stated ?? '+00:00');
  if (UTC_NAMES.has(places.toLowerCase())) return 'UTC';
  const zones = [
    TIMES[places.toLowerCase()],
    ...listed.map((place) => TIMES[place.toLowerCase()] ?? zoneOfCity(place)),
  ];
  return zones.find((zone) => zone !== undefined && standardOffset(zone) === offset) ?? null;
}

const AREAS = ['Europe', 'America', 'Asia', 'Africa', 'Australia', 'Pacific', 'Atlantic', 'Indian'];

function zoneOfCity(place: string): string | undefined {
  const city = place.replaceAll(' ', '_');
  if (!/^[A-Za-z_.'-]{2,40}$/.test(city)) return undefined;
  return AREAS.map((area) => resolveZone(`${area}/${city}`)).find((zone) => zone !== null) ?? undefined;
}

/** Returns the offset of a zone without summer time, as of 2026: the smaller one of January and July. */
function standardOffset(zone: string): number {
  const offsets = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)].map((at) => utcToLocal(at, zone) - at);
  return Math.min(...offsets);
}
