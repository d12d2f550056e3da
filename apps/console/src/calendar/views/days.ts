/** A calendar date without a time zone: `2026-11-21`. */
export type Day = string;

export const DAY_MS = 86_400_000;

/** Returns whether a value is an existing date in the form `2026-11-21`. */
export function isDay(value: unknown): value is Day {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\d$/.test(value) &&
    !Number.isNaN(msOf(value)) &&
    dayOf(msOf(value)) === value
  );
}

export function addDays(day: Day, days: number): Day {
  return dayOf(msOf(day) + days * DAY_MS);
}

/** Returns the same day of another month, or the last day of that month. */
export function addMonths(day: Day, months: number): Day {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month - 1 + months, Math.min(date, last)));
}

export function daysFrom(first: Day, count: number): Day[] {
  return Array.from({ length: count }, (_, at) => addDays(first, at));
}

/** Returns the number of days from `from` to `day`. */
export function daysBetween(from: Day, day: Day): number {
  return Math.round((msOf(day) - msOf(from)) / DAY_MS);
}

/** Returns the first day of the week of a day. `firstDay` is 1 for Monday to 7 for Sunday, as in ISO 8601. */
export function startOfWeek(day: Day, firstDay: number): Day {
  const weekday = new Date(msOf(day)).getUTCDay();
  return addDays(day, -((weekday - firstDay + 7) % 7));
}

/** Returns the six weeks around a month. */
export function monthGrid(day: Day, firstDay: number): Day[] {
  return daysFrom(startOfWeek(`${day.slice(0, 8)}01`, firstDay), 42);
}

/** Returns the start of a day in UTC, in ms. */
export function msOf(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** Returns the day of a wall-clock time (see `wall-clock.ts`). */
export function dayOf(wall: number): Day {
  return new Date(wall).toISOString().slice(0, 10);
}

export const calendarViews = ['day', 'week', 'month', 'agenda'] as const;
export type CalendarView = (typeof calendarViews)[number];

const AGENDA_DAYS = 28;

/** What the next or the previous screen of a view shows, in words. */
export const stepNames: Readonly<Record<CalendarView, string>> = {
  day: 'day',
  week: 'week',
  month: 'month',
  agenda: 'four weeks',
};

/** Returns the days that a view shows. */
export function daysOfView(view: CalendarView, day: Day, firstDay: number): Day[] {
  if (view === 'day') return [day];
  if (view === 'agenda') return daysFrom(day, AGENDA_DAYS);
  return view === 'week' ? daysFrom(startOfWeek(day, firstDay), 7) : monthGrid(day, firstDay);
}

/** Returns the day that the next or the previous screen of a view begins with. */
export function dayAfter(view: CalendarView, day: Day, by: 1 | -1): Day {
  if (view === 'month') return addMonths(day, by);
  return addDays(day, by * { day: 1, week: 7, agenda: AGENDA_DAYS }[view]);
}
