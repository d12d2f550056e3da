import { wallTime } from './civil.ts';
import { RecurrenceError, type RecurrenceReason } from './errors.ts';
import {
  FREQUENCIES,
  type Frequency,
  NUMBER_PARTS,
  type Rule,
  type RuleDay,
  requireFit,
  type StartForm,
  type Until,
  WEEKDAYS,
  type Weekday,
} from './rule.ts';

/** Bounds of a rule. What they exclude is refused, so that no rule costs unbounded work. */
export const RULE_LIMITS = {
  /** Characters of the text. */
  length: 2000,
  interval: 100_000,
  count: 1_000_000,
  /** Periods of an irregular rule that are visited to find the last occurrence of a COUNT; one that lies further on counts as endless. */
  countedPeriods: 20_000,
  /** Times of day (of an hour, in HOURLY rules) that BYHOUR, BYMINUTE and BYSECOND make together. */
  timesPerDay: 1440,
  timesPerHour: 60,
} as const;

interface Range {
  least: number;
  most: number;
  signed: boolean;
}

const RANGES: Record<keyof typeof NUMBER_PARTS, Range> = {
  BYMONTH: { least: 1, most: 12, signed: false },
  BYWEEKNO: { least: 1, most: 53, signed: true },
  BYYEARDAY: { least: 1, most: 366, signed: true },
  BYMONTHDAY: { least: 1, most: 31, signed: true },
  BYHOUR: { least: 0, most: 23, signed: false },
  BYMINUTE: { least: 0, most: 59, signed: false },
  BYSECOND: { least: 0, most: 60, signed: false },
  BYSETPOS: { least: 1, most: 366, signed: true },
};

const PARTS = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'WKST', ...Object.keys(NUMBER_PARTS)]);

/** Parsed texts kept. */
const MAX_PARSED = 2000;
const parsed = new Map<string, Rule>();

/**
 * Reads the value of an RRULE (without the name). Refuses what RFC 5545 §3.3.10 forbids, RSCALE and SKIP (RFC 7529), rules
 * finer than HOURLY, and what exceeds `RULE_LIMITS`; with `start`, also what does not suit a series that starts so.
 * Throws `RecurrenceError`.
 */
export function parseRule(text: string, start?: StartForm): Rule {
  let rule = parsed.get(text);
  if (!rule) {
    rule = readRule(text);
    if (parsed.size >= MAX_PARSED) parsed.clear();
    parsed.set(text, rule);
  }
  if (start) requireFit(rule, start);
  return rule;
}

function readRule(text: string): Rule {
  if (text.length > RULE_LIMITS.length) refuse('too-long', `Longer than ${RULE_LIMITS.length} characters`);
  const parts = new Map<string, string>();
  // Some senders end the value with a semicolon.
  for (const part of text.toUpperCase().replace(/;$/, '').split(';')) {
    const [name = '', value = '', ...rest] = part.split('=');
    if (!name || !value || rest.length) refuse('syntax', `Not NAME=VALUE: ${JSON.stringify(part)}`);
    if (name === 'RSCALE' || name === 'SKIP') refuse('unsupported', `${name} is not supported`);
    if (!PARTS.has(name)) refuse('unknown-part', `Unknown rule part ${name}`);
    if (parts.has(name)) refuse('repeated-part', `${name} is given twice`);
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
  refuseForbidden(rule, parts);
  return deepFreeze(rule);
}

/** The MUST NOTs of RFC 5545 §3.3.10, and the bound on times of day. */
function refuseForbidden(rule: Rule, parts: ReadonlyMap<string, string>): void {
  const { freq } = rule;
  const forbid = (broken: boolean, message: string) => {
    if (broken) refuse('forbidden', message);
  };
  forbid(rule.count !== null && rule.until !== null, 'COUNT and UNTIL exclude each other');
  forbid(rule.byWeekNo.length > 0 && freq !== 'YEARLY', 'BYWEEKNO only goes with YEARLY');
  forbid(
    rule.byYearDay.length > 0 && freq !== 'YEARLY' && freq !== 'HOURLY',
    `BYYEARDAY does not go with ${freq}`,
  );
  forbid(rule.byMonthDay.length > 0 && freq === 'WEEKLY', 'BYMONTHDAY does not go with WEEKLY');
  if (rule.byDay.some((day) => day.nth !== 0)) {
    forbid(freq !== 'MONTHLY' && freq !== 'YEARLY', 'A numbered BYDAY only goes with MONTHLY and YEARLY');
    forbid(rule.byWeekNo.length > 0, 'A numbered BYDAY does not go with BYWEEKNO');
  }
  const others = [...parts.keys()].some((name) => name.startsWith('BY') && name !== 'BYSETPOS');
  forbid(rule.bySetPos.length > 0 && !others, 'BYSETPOS needs another BYxxx part');

  const inHour = Math.max(1, rule.byMinute.length) * Math.max(1, rule.bySecond.length);
  const inDay = Math.max(1, rule.byHour.length) * inHour;
  const tooMany = freq === 'HOURLY' ? inHour > RULE_LIMITS.timesPerHour : inDay > RULE_LIMITS.timesPerDay;
  if (tooMany) refuse('too-fine', 'BYHOUR, BYMINUTE and BYSECOND make too many times');
}

function readFreq(value: string | undefined): Frequency {
  if (value === undefined) refuse('missing-freq', 'FREQ is missing');
  if (value === 'MINUTELY' || value === 'SECONDLY') refuse('too-fine', `${value} is finer than HOURLY`);
  const freq = FREQUENCIES.find((known) => known === value);
  return freq ?? refuse('unknown-freq', `Unknown FREQ ${value}`);
}

function readInteger(parts: ReadonlyMap<string, string>, name: string, most: number): number | null {
  const value = parts.get(name);
  if (value === undefined) return null;
  if (!/^\d+$/.test(value)) refuse('syntax', `${name} must be a whole number`);
  const number = Number(value);
  if (number < 1 || number > most) refuse('out-of-range', `${name} must be from 1 to ${most}`);
  return number;
}

function readNumbers(parts: ReadonlyMap<string, string>, name: keyof typeof RANGES): number[] {
  const value = parts.get(name);
  if (value === undefined) return [];
  const { least, most, signed } = RANGES[name];
  const numbers = value.split(',').map((item) => {
    if (!(signed ? /^[+-]?\d{1,3}$/ : /^\d{1,2}$/).test(item)) refuse('syntax', `Bad value in ${name}`);
    const number = Number(item);
    if (Math.abs(number) < least || Math.abs(number) > most) {
      refuse('out-of-range', `${name} must be from ${signed ? '±' : ''}${least} to ${most}`);
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
    if (!match) refuse('syntax', 'Bad value in BYDAY');
    const nth = Number(match[1] ?? 0);
    if (match[1] !== undefined && (nth === 0 || Math.abs(nth) > 53)) {
      refuse('out-of-range', 'The number in BYDAY must be from ±1 to 53');
    }
    const weekday = readWeekday(match[2]!);
    days.set(`${nth}${weekday}`, { weekday, nth });
  }
  return [...days.values()];
}

function readWeekday(value: string): Weekday {
  return WEEKDAYS.find((day) => day === value) ?? refuse('syntax', `Unknown weekday ${value}`);
}

function readUntil(value: string | undefined): Until | null {
  if (value === undefined) return null;
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/.exec(value);
  if (!match) refuse('syntax', 'UNTIL must be YYYYMMDD, YYYYMMDDTHHMMSS or YYYYMMDDTHHMMSSZ');
  const [year, month, day, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((field) => Number(field ?? 0));
  const at = wallTime(year!, month!, day!, hour, minute, second);
  if (Number.isNaN(at)) refuse('out-of-range', `UNTIL names no real time: ${value}`);
  return { form: match[4] === undefined ? 'date' : match[7] ? 'utc' : 'wall', at };
}

/** Parsed rules are shared between callers. */
function deepFreeze(rule: Rule): Rule {
  for (const value of Object.values(rule)) Object.freeze(value);
  for (const day of rule.byDay) Object.freeze(day);
  return Object.freeze(rule);
}

function refuse(reason: RecurrenceReason, message: string): never {
  throw new RecurrenceError(reason, message);
}
