import { wallClockMs } from '../../calendar/wall-clock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The hour of a day at which a snooze ends. */
const MORNING = 9;
const MONDAY = 1;

/** A time until which a ticket can be snoozed. */
export interface SnoozeTime {
  label: string;
  at: Date;
}

/** Returns the times that are offered, in a time zone. */
export function snoozeTimes(now: Date, zone: string): SnoozeTime[] {
  const local = wallClockMs(now.getTime(), zone);
  const today = local - (local % DAY_MS);
  const morningAfter = (days: number) => fromWallClock(today + days * DAY_MS + MORNING * HOUR_MS, zone);
  const weekday = new Date(today).getUTCDay();
  const toMonday = (MONDAY - weekday + 7) % 7 || 7;
  return [
    { label: 'In 3 hours', at: new Date(now.getTime() + 3 * HOUR_MS) },
    { label: 'Tomorrow', at: morningAfter(1) },
    // On a Sunday that is tomorrow, on a Monday in a week.
    ...(toMonday > 1 && toMonday < 7 ? [{ label: 'Next Monday', at: morningAfter(toMonday) }] : []),
    { label: 'In a week', at: morningAfter(7) },
  ];
}

/** Returns the instant of a local time, given in ms as if it were UTC. A time that a change of the clocks skips is moved by it. */
export function fromWallClock(local: number, zone: string): Date {
  let at = local;
  // The second round uses the offset at the result of the first.
  for (let round = 0; round < 2; round++) at += local - wallClockMs(at, zone);
  return new Date(at);
}

/** Returns the instant of the value of a `MomentField`; null if it is empty. */
export function parseLocal(value: string, zone: string): Date | null {
  const local = Date.parse(`${value}Z`);
  return Number.isNaN(local) ? null : fromWallClock(local, zone);
}

/** Returns an instant as the value of a `MomentField`. */
export function toLocal(at: Date, zone: string): string {
  return new Date(wallClockMs(at.getTime(), zone)).toISOString().slice(0, 16);
}
