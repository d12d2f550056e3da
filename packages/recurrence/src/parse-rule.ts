import { wallTime } from './civil.ts';
import { RecurrenceError, type RecurrenceReason } from './errors.ts';
import {
  FREQUENCIES,
  type Frequency,
  NUMBER_PARTS,
  type Rule,
  type RuleDay,
  requireStartForm,
  type StartForm,
  type Until,
  WEEKDAYS,
  type Weekday,
} from './rule.ts';

/** Limits of a rule. Rules beyond them are rejected, so that the cost of every rule is bounded. */
export const RULE_LIMITS = {
  /** Maximum characters of the text. */
  length: 2000,
  /** Maximum INTERVAL and COUNT. */
  interval: 100_000,
  count: 1_000_000,
  /** Maximum periods of an irregular rule that are visited to find the last occurrence of a COUNT. Beyond it, the rule counts as endless. */
  countedPeriods: 20_000,
  /** Maximum times per day (per hour in HOURLY rules) that BYHOUR, BYMINUTE and BYSECOND yield together. */
  timesPerDay: 1440,
  timesPerHour: 60,
} as const;

interface Range {
  min: number;
  max: number;
  signed: boolean;
}

const RANGES: Record<keyof typeof NUMBER_PARTS, Range> = {
  BYMONTH: { min: 1, max: 12, signed: false },
  BYWEEKNO: { min: 1, max: 53, signed: true },
  BYYEARDAY: { min: 1, max: 366, signed: true },
  BYMONTHDAY: { min: 1, max: 31, signed: true },
  BYHOUR: { min: 0, max: 23, signed: false },
  BYMINUTE: { min: 0, max: 59, signed: false },
  BYSECOND: { min: 0, max: 60, signed: false },
  BYSETPOS: { min: 1, max: 366, signed: true },
};

const PARTS = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'WKST', ...Object.keys(NUMBER_PARTS)]);

/** Maximum number of cached rules. */
const MAX_PARSED = 2000;
const parsed = new Map<string, Rule>();

/**
 * Parses the value of an RRULE (without the name). Rejects rules that RFC 5545 §3.3.10 forbids, RSCALE and SKIP (RFC 7529), rules
 * finer than HOURLY, and rules beyond `RULE_LIMITS`. With `start`, it also rejects rules that do not fit a series with such a
 * start. Throws `RecurrenceError`.
 */
export function parseRule(text: string, start?: StartForm): Rule {
  let rule = parsed.get(text);
  if (!rule) {
    rule = readRule(text);
    if (parsed.size >= MAX_PARSED) parsed.clear();
    parsed.set(text, rule);
  }
  if (start) requireStartForm(rule, start);
  return rule;
}

function readRule(text: string): Rule {
  if (text.length > RULE_LIMITS.length)
    reject('too-long', `The rule is longer than ${RULE_LIMITS.length} characters`);
  const parts = new Map<string, string>();
  // Some senders end the value with a semicolon.
  for (const part of text.toUpperCase().replace(/;$/, '').split(';')) {
    const [name = '', value = '', ...rest] = part.split('=');
    if (!name || !value || rest.length) reject('syntax', `Expected NAME=VALUE, got ${JSON.stringify(part)}`);
    if (name === 'RSCALE' || name === 'SKIP') reject('unsupported', `${name} is not supported`);
    if (!PARTS.has(name)) reject('unknown-part', `Unknown rule part ${name}`);
    if (parts.has(name)) reject('repeated-part', `${name} occurs twice`);
    parts.set(name, value);
  }
  const rule: Rule = {
    freq: readFreq(parts.get('FREQ')),
    interval: readInteger(parts, 'INTERVAL', RULE_LIMITS.interval) ?? 1,
    count: readInteger(parts, 'COUNT', RULE_LIMITS.count),
    until: readUntil(parts.get('UNTIL')),
    byMonth: readNumbers(parts, 'BYMONTH'),
    byWeekNo: readNumbers(parts, 'BYWEEKNO'),
    byYearDay: readNumbers(parts, 'BYYEARDAY'),
    byMonthDay: readNumbers(parts, 'BYMONTHDAY'),
    byDay: readDays(parts.get('BYDAY')),
    byHour: readNumbers(parts, 'BYHOUR'),
    byMinute: readNumbers(parts, 'BYMINUTE'),
    bySecond: readNumbers(parts, 'BYSECOND'),
    bySetPos: readNumbers(parts, 'BYSETPOS'),
    wkst: readWeekday(parts.get('WKST') ?? 'MO'),
  };
  rejectForbidden(rule, parts);
  return deepFreeze(rule);
}

/** Rejects combinations of parts that RFC 5545 §3.3.10 forbids (MUST NOT), and rules with too many times of day. */
function rejectForbidden(rule: Rule, parts: ReadonlyMap<string, string>): void {
  const { freq } = rule;
  const forbid = (broken: boolean, message: string) => {
    if (broken) reject('forbidden', message);
  };
  forbid(rule.count !== null && rule.until !== null, 'COUNT and UNTIL cannot be combined');
  forbid(rule.byWeekNo.length > 0 && freq !== 'YEARLY', 'BYWEEKNO requires FREQ=YEARLY');
  forbid(
    rule.byYearDay.length > 0 && freq !== 'YEARLY' && freq !== 'HOURLY',
    `BYYEARDAY cannot be combined with FREQ=${freq}`,
  );
  forbid(rule.byMonthDay.length > 0 && freq === 'WEEKLY', 'BYMONTHDAY cannot be combined with FREQ=WEEKLY');
  if (rule.byDay.some((day) => day.nth !== 0)) {
    forbid(freq !== 'MONTHLY' && freq !== 'YEARLY', 'A numbered BYDAY requires FREQ=MONTHLY or FREQ=YEARLY');
    forbid(rule.byWeekNo.length > 0, 'A numbered BYDAY cannot be combined with BYWEEKNO');
  }
  const others = [...parts.keys()].some((name) => name.startsWith('BY') && name !== 'BYSETPOS');
  forbid(rule.bySetPos.length > 0 && !others, 'BYSETPOS requires another BYxxx part');

  const inHour = Math.max(1, rule.byMinute.length) * Math.max(1, rule.bySecond.length);
  const inDay = Math.max(1, rule.byHour.length) * inHour;
  const tooMany = freq === 'HOURLY' ? inHour > RULE_LIMITS.timesPerHour : inDay > RULE_LIMITS.timesPerDay;
  if (tooMany)
    reject(
      'too-fine',
      `BYHOUR, BYMINUTE and BYSECOND yield too many times: at most ${RULE_LIMITS.timesPerDay} a day, and ${RULE_LIMITS.timesPerHour} an hour in HOURLY rules`,
    );
}

function readFreq(value: string | undefined): Frequency {
  if (value === undefined) reject('missing-freq', 'FREQ is missing');
  if (value === 'MINUTELY' || value === 'SECONDLY')
    reject('too-fine', `FREQ=${value} is not supported: the finest frequency is HOURLY`);
  const freq = FREQUENCIES.find((known) => known === value);
  return freq ?? reject('unknown-freq', `Unknown frequency FREQ=${value}`);
}

function readInteger(parts: ReadonlyMap<string, string>, name: string, max: number): number | null {
  const value = parts.get(name);
  if (value === undefined) return null;
  if (!/^\d+$/.test(value)) reject('syntax', `${name} must be a positive integer`);
  const number = Number(value);
  if (number < 1 || number > max) reject('out-of-range', `${name} must be an integer from 1 to ${max}`);
  return number;
}

function readNumbers(parts: ReadonlyMap<string, string>, name: keyof typeof RANGES): number[] {
  const value = parts.get(name);
  if (value === undefined) return [];
  const { min, max, signed } = RANGES[name];
  const numbers = value.split(',').map((item) => {
    if (!(signed ? /^[+-]?\d{1,3}$/ : /^\d{1,2}$/).test(item))
      reject('syntax', `Invalid value ${JSON.stringify(item)} in ${name}`);
    const number = Number(item);
    if (Math.abs(number) < min || Math.abs(number) > max) {
      reject('out-of-range', `${name} values must be from ${min} to ${max}${signed ? ' or negative' : ''}`);
    }
    // Without leap seconds, second 60 is second 59 (RFC 5545 §3.3.12).
    return name === 'BYSECOND' ? Math.min(number, 59) : number;
  });
  return [...new Set(numbers)].sort((a, b) => a - b);
}

function readDays(value: string | undefined): RuleDay[] {
  if (value === undefined) return [];
  const days = new Map<string, RuleDay>();
  for (const item of value.split(',')) {
    const match = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(item);
    if (!match) reject('syntax', `Invalid value ${JSON.stringify(item)} in BYDAY`);
    const nth = Number(match[1] ?? 0);
    if (match[1] !== undefined && (nth === 0 || Math.abs(nth) > 53)) {
      reject('out-of-range', 'The number of a weekday in BYDAY must be from 1 to 53, or negative');
    }
    const weekday = readWeekday(match[2]!);
    days.set(`${nth}${weekday}`, { weekday, nth });
  }
  return [...days.values()];
}

function readWeekday(value: string): Weekday {
  return WEEKDAYS.find((day) => day === value) ?? reject('syntax', `Unknown weekday ${value}`);
}

function readUntil(value: string | undefined): Until | null {
  if (value === undefined) return null;
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/.exec(value);
  if (!match) reject('syntax', 'UNTIL must be YYYYMMDD, YYYYMMDDTHHMMSS or YYYYMMDDTHHMMSSZ');
  const [year, month, day, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((field) => Number(field ?? 0));
  const at = wallTime(year!, month!, day!, hour, minute, second);
  if (Number.isNaN(at)) reject('out-of-range', `UNTIL is not an existing time: ${value}`);
  return { form: match[4] === undefined ? 'date' : match[7] ? 'utc' : 'wall', at };
}

/** Freezes a rule, because callers share cached rules. */
function deepFreeze(rule: Rule): Rule {
  for (const value of Object.values(rule)) Object.freeze(value);
  for (const day of rule.byDay) Object.freeze(day);
  return Object.freeze(rule);
}

function reject(reason: RecurrenceReason, message: string): never {
  throw new RecurrenceError(reason, message);
}
