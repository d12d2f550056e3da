import { RecurrenceError } from './errors.ts';

export const FREQUENCIES = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** The number lists of a rule. An empty list means that the rule does not have the part. */
export const NUMBER_PARTS = {
  BYMONTH: 'byMonth',
  BYWEEKNO: 'byWeekNo',
  BYYEARDAY: 'byYearDay',
  BYMONTHDAY: 'byMonthDay',
  BYHOUR: 'byHour',
  BYMINUTE: 'byMinute',
  BYSECOND: 'bySecond',
  BYSETPOS: 'bySetPos',
} as const;

/** A weekday of BYDAY. `nth` 0 means every such day, otherwise the nth (negative: from the end) of the month or year. */
export interface RuleDay {
  readonly weekday: Weekday;
  readonly nth: number;
}

/** UNTIL, inclusive. `at` is in ms: an instant in the form `utc`; the fields read as UTC in the forms `wall` and `date`. */
export interface Until {
  readonly form: 'date' | 'wall' | 'utc';
  readonly at: number;
}

/** A validated RRULE value (RFC 5545 §3.3.10). Lists have no duplicates, and lists of numbers are sorted. An empty list is an absent part. */
export interface Rule {
  readonly freq: Frequency;
  readonly interval: number;
  readonly count: number | null;
  readonly until: Until | null;
  readonly byMonth: readonly number[];
  readonly byWeekNo: readonly number[];
  readonly byYearDay: readonly number[];
  readonly byMonthDay: readonly number[];
  readonly byDay: readonly RuleDay[];
  readonly byHour: readonly number[];
  readonly byMinute: readonly number[];
  readonly bySecond: readonly number[];
  readonly bySetPos: readonly number[];
  readonly wkst: Weekday;
}

/** The form of DTSTART. UNTIL must have the matching form, and a date allows no times of day. */
export type StartForm = 'date' | 'floating' | 'zoned';

/** The form of UNTIL that each start requires (RFC 5545 §3.3.10). */
export const UNTIL_FORMS = { date: 'date', floating: 'wall', zoned: 'utc' } as const;

/** Throws `until-form` or `forbidden` if a rule does not fit the start of its series. */
export function requireStartForm(rule: Rule, start: StartForm): void {
  if (rule.until && rule.until.form !== UNTIL_FORMS[start]) {
    throw new RecurrenceError('until-form', `UNTIL must be ${UNTIL_DESCRIPTIONS[start]}`);
  }
  if (start !== 'date') return;
  if (rule.freq === 'HOURLY' || rule.byHour.length || rule.byMinute.length || rule.bySecond.length) {
    throw new RecurrenceError(
      'forbidden',
      'The rule of an all-day series must not have hours, minutes or seconds',
    );
  }
}

const UNTIL_DESCRIPTIONS = {
  date: 'a date (YYYYMMDD) when the series is all-day',
  floating: 'a local time (without Z) when the series has no zone',
  zoned: 'in UTC (ending in Z) when the series has a zone',
};

/** Formats a rule as an RRULE value, in a fixed order and without defaults. `parseRule(formatRule(rule))` equals `rule`. */
export function formatRule(rule: Rule): string {
  const parts = [`FREQ=${rule.freq}`];
  if (rule.interval !== 1) parts.push(`INTERVAL=${rule.interval}`);
  if (rule.count !== null) parts.push(`COUNT=${rule.count}`);
  if (rule.until) parts.push(`UNTIL=${formatUntil(rule.until)}`);
  for (const [part, field] of Object.entries(NUMBER_PARTS)) {
    if (part === 'BYHOUR' && rule.byDay.length) {
      parts.push(`BYDAY=${rule.byDay.map(({ nth, weekday }) => `${nth || ''}${weekday}`).join()}`);
    }
    if (rule[field].length) parts.push(`${part}=${rule[field].join()}`);
  }
  if (rule.wkst !== 'MO') parts.push(`WKST=${rule.wkst}`);
  return parts.join(';');
}

function formatUntil({ form, at }: Until): string {
  const text = new Date(at).toISOString().replace(/[-:]|\.\d+Z/g, '');
  if (form === 'date') return text.slice(0, 8);
  return form === 'utc' ? `${text}Z` : text;
}
