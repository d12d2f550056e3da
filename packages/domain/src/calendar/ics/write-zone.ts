import { formatLocal, utcToLocal } from '@firmdesk/recurrence';
import { DAY_MS } from '../../platform/process/clock.ts';

/** For how long the changes of an offset are written. Programs that know the zone by its name do not need them. */
const YEARS = 10;
const STEP_MS = 14 * DAY_MS;

/** Returns the VTIMEZONE of an IANA zone (RFC 5545 §3.6.5) from the year of an instant on. */
export function writeZone(zone: string, from: number): string[] {
  const offsetAt = (instant: number) => utcToLocal(instant, zone) - instant;
  const first = Date.UTC(new Date(from).getUTCFullYear() - 1, 0, 1);
  const last = Date.UTC(new Date(from).getUTCFullYear() + YEARS, 0, 1);
  const onsets = [{ at: first, before: offsetAt(first), after: offsetAt(first) }];
  for (let at = first; at < last; at += STEP_MS) {
    const [before, after] = [offsetAt(at), offsetAt(at + STEP_MS)];
    if (before !== after) onsets.push({ at: onsetBetween(offsetAt, at, at + STEP_MS), before, after });
  }
  const standard = Math.min(...onsets.map(({ after }) => after));
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${zone}`,
    ...onsets.flatMap(({ at, before, after }) => {
      const kind = after === standard ? 'STANDARD' : 'DAYLIGHT';
      return [
        `BEGIN:${kind}`,
        `DTSTART:${formatLocal(at + before).replaceAll(/[-:]/g, '')}`,
        `TZOFFSETFROM:${offset(before)}`,
        `TZOFFSETTO:${offset(after)}`,
        `END:${kind}`,
      ];
    }),
    'END:VTIMEZONE',
  ];
}

/** Returns the instant, to the second, at which the offset changes between two. */
function onsetBetween(offsetAt: (instant: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  const before = offsetAt(from);
  while (high - low > 1_000) {
    const middle = low + Math.floor((high - low) / 2_000) * 1_000;
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

function offset(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${ms < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}${pad(minutes % 60)}`;
}
