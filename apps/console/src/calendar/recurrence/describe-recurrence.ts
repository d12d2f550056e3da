import { LOCALE } from '../../ui/time/time.ts';

const units = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' } as const;
const weekdays = { MO: 1, TU: 2, WE: 3, TH: 4, FR: 5, SA: 6, SU: 7 } as const;
const ordinals: Record<string, string> = { 1: 'first', 2: 'second', 3: 'third', 4: 'fourth', '-1': 'last' };

const list = new Intl.ListFormat(LOCALE, { type: 'conjunction' });
const date = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });
const weekday = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', timeZone: 'UTC' });

/** Describes a recurrence rule: `every 2 weeks on Monday and Friday, 10 times`. Returns null for more complex rules. */
export function describeRecurrence(rule: string): string | null {
  const parts = new Map(rule.split(';').map((part) => part.split('=') as [string, string]));
  const take = (name: string) => {
    const value = parts.get(name);
    parts.delete(name);
    return value;
  };
  const unit = units[take('FREQ') as keyof typeof units];
  const interval = Number(take('INTERVAL') ?? 1);
  const byDay = take('BYDAY');
  const byMonthDay = take('BYMONTHDAY');
  const count = take('COUNT');
  const until = take('UNTIL');
  take('WKST');
  if (!unit || parts.size > 0) return null;
  const on = describeDays(unit, byDay, byMonthDay);
  if (on === null) return null;
  const every = interval === 1 ? `every ${unit}` : `every ${interval} ${unit}s`;
  const end = count ? `, ${count} times` : until ? `, until ${describeUntil(until)}` : '';
  return `${every}${on}${end}`;
}

function describeDays(
  unit: string,
  byDay: string | undefined,
  byMonthDay: string | undefined,
): string | null {
  if (byDay === undefined && byMonthDay === undefined) return '';
  if (byMonthDay !== undefined) {
    const isDay = /^([1-9]|[12]\d|3[01])$/.test(byMonthDay);
    return unit === 'month' && isDay && byDay === undefined ? ` on day ${byMonthDay}` : null;
  }
  const names = byDay!.split(',').map((text) => describeDay(text, unit));
  return names.includes(null) ? null : ` on ${list.format(names as string[])}`;
}

function describeDay(text: string, unit: string): string | null {
  const [, ordinal, name] = /^([+-]?\d+)?(MO|TU|WE|TH|FR|SA|SU)$/.exec(text) ?? [];
  if (!name) return null;
  // 1 January 2024 was a Monday.
  const dayName = weekday.format(Date.UTC(2024, 0, weekdays[name as keyof typeof weekdays]));
  if (ordinal === undefined) return unit === 'week' || unit === 'day' ? dayName : null;
  const nth = ordinals[ordinal.replace('+', '')];
  return unit === 'month' && nth ? `the ${nth} ${dayName}` : null;
}

function describeUntil(until: string): string {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(until) ?? [];
  return year ? date.format(Date.UTC(Number(year), Number(month) - 1, Number(day))) : until;
}

/** Returns a text with its first letter in upper case. */
export function upperFirst(text: string | null): string | null {
  return text && text.charAt(0).toUpperCase() + text.slice(1);
}
