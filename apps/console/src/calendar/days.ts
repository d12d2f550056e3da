/** A day of the calendar, whatever the zone: `2026-11-21`. */
export type Day = string;

export const DAY_MS = 86_400_000;

export function addDays(day: Day, days: number): Day {
  return dayOf(msOf(day) + days * DAY_MS);
}

/** The same day of another month, or that month's last. */
export function addMonths(day: Day, months: number): Day {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month - 1 + months, Math.min(date, last)));
}

export function daysFrom(first: Day, count: number): Day[] {
  return Array.from({ length: count }, (_, at) => addDays(first, at));
}

/** How many days `day` lies after `from`. */
export function daysBetween(from: Day, day: Day): number {
  return Math.round((msOf(day) - msOf(from)) / DAY_MS);
}

/** The first day of the week that a day lies in; `firstDay`: 1 is Monday, 7 Sunday, as ISO 8601 counts. */
export function startOfWeek(day: Day, firstDay: number): Day {
  const weekday = new Date(msOf(day)).getUTCDay();
  return addDays(day, -((weekday - firstDay + 7) % 7));
}

/** Six weeks that hold all of the month. */
export function monthGrid(day: Day, firstDay: number): Day[] {
  return daysFrom(startOfWeek(`${day.slice(0, 8)}01`, firstDay), 42);
}

/** The day as a moment for `Intl` with the zone UTC. */
export function msOf(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** The day of a wall time (see `zone.ts`). */
export function dayOf(wall: number): Day {
  return new Date(wall).toISOString().slice(0, 10);
}
