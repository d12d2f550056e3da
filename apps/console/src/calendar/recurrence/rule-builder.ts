import { addDays, type Day, dayOf, msOf } from '../views/days.ts';
import { instantOf, wallClockMs } from '../wall-clock.ts';

export const ruleUnits = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' } as const;
export type RuleUnit = keyof typeof ruleUnits;

/** From Monday on, as in ISO 8601. */
export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof weekdays)[number];

export type RuleEnd = { kind: 'never' } | { kind: 'until'; day: Day } | { kind: 'count'; count: number };

/** A recurrence rule as its fields show it. */
export interface BuiltRule {
  unit: RuleUnit;
  interval: number;
  /** Of a weekly rule. */
  days: Weekday[];
  /** Whether a monthly rule names the day of the month, or its weekday: `the fourth Monday`. */
  monthlyBy: 'day' | 'weekday';
  end: RuleEnd;
}

/** What a rule depends on: the first day of the event, and how its times are written. */
export interface RuleStart {
  day: Day;
  allDay: boolean;
  zone: string;
}

/** Returns the rule with which the fields begin: every week on the day of the start. */
export function newRule({ day }: RuleStart): BuiltRule {
  return { unit: 'WEEKLY', interval: 1, days: [weekdayOf(day)], monthlyBy: 'day', end: { kind: 'never' } };
}

/** Returns a rule as its fields show it, or null if it has more than they can show. */
export function readRule(text: string, start: RuleStart): BuiltRule | null {
  const parts = new Map(text.split(';').map((part) => part.split('=') as [string, string]));
  const {
    FREQ = '',
    INTERVAL = '1',
    BYDAY,
    BYMONTHDAY,
    COUNT,
    UNTIL,
    WKST: _,
    ...others
  } = Object.fromEntries(parts);
  const interval = Number(INTERVAL);
  const end = readEnd(COUNT, UNTIL, start);
  if (!(FREQ in ruleUnits) || Object.keys(others).length > 0 || !Number.isInteger(interval) || !end)
    return null;
  const unit = FREQ as RuleUnit;
  const rule: BuiltRule = { ...newRule(start), unit, interval, end };
  if (unit === 'WEEKLY' && BYMONTHDAY === undefined) {
    const days = BYDAY?.split(',') ?? rule.days;
    return days.every(isWeekday) ? { ...rule, days } : null;
  }
  if (unit === 'MONTHLY') {
    if (BYDAY === undefined && (BYMONTHDAY === undefined || Number(BYMONTHDAY) === dateOf(start.day)))
      return rule;
    return BYMONTHDAY === undefined && BYDAY === nthWeekday(start.day)
      ? { ...rule, monthlyBy: 'weekday' }
      : null;
  }
  return BYDAY === undefined && BYMONTHDAY === undefined ? rule : null;
}

/** Returns the rule in the form of RFC 5545. */
export function writeRule({ unit, interval, days, monthlyBy, end }: BuiltRule, start: RuleStart): string {
  const ordered = weekdays.filter((day) => days.includes(day));
  return [
    `FREQ=${unit}`,
    ...(interval > 1 ? [`INTERVAL=${interval}`] : []),
    ...(unit === 'WEEKLY'
      ? [`BYDAY=${(ordered.length > 0 ? ordered : [weekdayOf(start.day)]).join(',')}`]
      : []),
    ...(unit === 'MONTHLY' && monthlyBy === 'weekday' ? [`BYDAY=${nthWeekday(start.day)}`] : []),
    ...(end.kind === 'count' ? [`COUNT=${end.count}`] : []),
    ...(end.kind === 'until' ? [`UNTIL=${untilOf(end.day, start)}`] : []),
  ].join(';');
}

/** Returns a rule with its end in the form that the times of the event have. */
export function withStart(text: string, before: RuleStart, start: RuleStart): string {
  const rule = text === '' ? null : readRule(text, before);
  return rule?.end.kind === 'until' ? writeRule(rule, start) : text;
}

/** Returns the weekday of a day, as a rule names it: `4MO` is the fourth Monday of its month, `-1MO` the last of five. */
export function nthWeekday(day: Day): string {
  const nth = Math.ceil(dateOf(day) / 7);
  return `${nth > 4 ? -1 : nth}${weekdayOf(day)}`;
}

export function dateOf(day: Day): number {
  return Number(day.slice(8));
}

function weekdayOf(day: Day): Weekday {
  return weekdays[(new Date(msOf(day)).getUTCDay() + 6) % 7]!;
}

function isWeekday(text: string): text is Weekday {
  return (weekdays as readonly string[]).includes(text);
}

function readEnd(count: string | undefined, until: string | undefined, { zone }: RuleStart): RuleEnd | null {
  if (count !== undefined) return { kind: 'count', count: Number(count) };
  if (until === undefined) return { kind: 'never' };
  const [, year, month, date, time] = /^(\d{4})(\d\d)(\d\d)(T\d{6}Z?)?$/.exec(until) ?? [];
  if (!year) return null;
  const day = `${year}-${month}-${date}`;
  if (!time?.endsWith('Z')) return { kind: 'until', day };
  const [, hours, minutes, seconds] = /^T(\d\d)(\d\d)(\d\d)/.exec(time)!;
  return { kind: 'until', day: dayOf(wallClockMs(`${day}T${hours}:${minutes}:${seconds}Z`, zone)) };
}

/** Returns the end of a rule: a date for whole days, otherwise the last second of the day as an instant. */
function untilOf(day: Day, { allDay, zone }: RuleStart): string {
  if (allDay) return day.replaceAll('-', '');
  const last = instantOf(addDays(day, 1), zone) - 1_000;
  return new Date(last).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').concat('Z');
}
