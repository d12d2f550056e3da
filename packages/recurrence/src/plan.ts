import { DAY, HOUR, isLeap, january1, MAX_YEAR, MONTH_STARTS, monthOf, weekdayOf, yearOf } from './civil.ts';
import { type Rule, WEEKDAYS } from './rule.ts';
import { type DayConditions, type DaySet, daySetOf, daysIn, weekYearOf } from './year-days.ts';

/** The last wall time there is. */
export const HORIZON = january1(MAX_YEAR + 1) * DAY - 1;

/**
 * A rule made ready for one start: it answers which wall times (ms) the rule yields after the start, in order, from any
 * point on. Zones play no part here; the start itself is not among the times.
 */
export abstract class Plan {
  protected readonly rule: Rule;
  protected readonly start: number;
  /** The last wall time that the rule may yield: COUNT's last one, or the horizon. */
  last: number = HORIZON;
  /** Whether the rule ends by COUNT. */
  readonly counted: boolean;
  /** Periods visited so far: what the work of this plan is measured in. */
  steps = 0;

  constructor(rule: Rule, start: number) {
    this.rule = rule;
    this.start = start;
    this.counted = rule.count !== null;
  }

  /** Up to `most` times within [from, to], ascending. */
  times(from: number, to: number, most: number): number[] {
    const times: number[] = [];
    const first = Math.max(from, this.start + 1);
    const final = Math.min(to, this.last);
    if (first <= final && most > 0) this.fill(times, first, final, most);
    return times;
  }

  protected abstract fill(times: number[], from: number, to: number, most: number): void;

  /** How many times every period yields, where that is one number, and the length of a period; null otherwise. */
  protected abstract regular(): { count: number; length: number; origin: number } | null;

  /** How many times a calendar year after that of the start yields, where that is known without walking it. */
  protected abstract wholeYear(year: number): number | null;

  /** Turns COUNT into the wall time of the last appearance; the start counts as the first. */
  protected limitTo(count: number): void {
    let left = count - 1;
    if (left === 0) {
      this.last = this.start;
      return;
    }
    let from = this.start + 1;
    const regular = this.regular();
    if (regular) {
      const period = this.rule.interval * regular.length;
      const inFirst = this.times(from, regular.origin + period - 1, left);
      left -= inFirst.length;
      if (left === 0) {
        this.last = inFirst.at(-1)!;
        return;
      }
      const whole = Math.floor((left - 1) / regular.count);
      from = regular.origin + (1 + whole) * period;
      left -= whole * regular.count;
    }
    const year = yearOf(Math.floor(from / DAY));
    const rest = this.times(from, january1(year + 1) * DAY - 1, left);
    left -= rest.length;
    if (left === 0) {
      this.last = rest.at(-1)!;
      return;
    }
    from = january1(year + 1) * DAY;
    for (let whole = year + 1; whole <= MAX_YEAR; whole++) {
      const inYear = this.wholeYear(whole);
      if (inYear === null || inYear >= left) break;
      this.steps++;
      left -= inYear;
      from = january1(whole + 1) * DAY;
    }
    while (left > 0 && from <= HORIZON) {
      const times = this.times(from, HORIZON, Math.min(left, 4096));
      if (times.length === 0) return;
      left -= times.length;
      from = times.at(-1)! + 1;
      if (left === 0) this.last = times.at(-1)!;
    }
  }
}

/** YEARLY, MONTHLY and WEEKLY: periods of days, and the same times on each day. */
class DaysPlan extends Plan {
  private readonly days: DaySet;
  private readonly dayTimes: readonly number[];
  private readonly byWeekNo: boolean;
  private readonly weekStart: number;
  private readonly weekOffsets: readonly number[];
  private readonly firstPeriod: number;
  private readonly picks = new Map<number, readonly number[]>();
  private base = 0;
  private offsets: readonly number[] = [];
  private low = 0;
  private high = 0;

  constructor(rule: Rule, start: number) {
    super(rule, start);
    const conditions = conditionsOf(rule, Math.floor(start / DAY));
    this.days = daySetOf(conditions);
    this.dayTimes = timesOfDay(rule, start);
    this.byWeekNo = conditions.weekNos.length > 0;
    this.weekStart = conditions.weekStart;
    this.weekOffsets = conditions.weekdays
      .map(({ weekday }) => (weekday - conditions.weekStart + 7) % 7)
      .sort((a, b) => a - b);
    this.firstPeriod = this.periodOf(start);
    if (rule.count !== null) this.limitTo(rule.count);
  }

  protected fill(times: number[], from: number, to: number, most: number): void {
    const { interval } = this.rule;
    const end = this.periodOf(to);
    for (
      let period = align(this.periodOf(from), this.firstPeriod, interval);
      period <= end;
      period += interval
    ) {
      this.steps++;
      this.enter(period);
      if (this.low === this.high) continue;
      const done = this.rule.bySetPos.length
        ? this.emitPicked(times, from, to, most)
        : this.emitAll(times, from, to, most);
      if (done) return;
    }
  }

  protected regular() {
    if (this.rule.freq !== 'WEEKLY' || this.rule.byMonth.length) return null;
    const inWeek = this.weekOffsets.length * this.dayTimes.length;
    const count = this.rule.bySetPos.length ? this.picked(inWeek).length : inWeek;
    return count ? { count, length: 7 * DAY, origin: this.weekBase(this.firstPeriod) * DAY } : null;
  }

  protected wholeYear(year: number): number | null {
    const { freq, interval, bySetPos } = this.rule;
    if (this.byWeekNo || (freq !== 'YEARLY' && (interval > 1 || bySetPos.length))) return null;
    if (freq === 'YEARLY' && (year - this.firstPeriod) % interval) return 0;
    const all = this.days.of(year).offsets.length * this.dayTimes.length;
    return bySetPos.length ? this.picked(all).length : all;
  }

  private periodOf(time: number): number {
    const day = Math.floor(time / DAY);
    if (this.rule.freq === 'WEEKLY') return Math.floor((day - this.weekBase(0)) / 7);
    if (this.byWeekNo) return weekYearOf(day, this.weekStart);
    const year = yearOf(day);
    return this.rule.freq === 'YEARLY' ? year : year * 12 + monthOf(day - january1(year), isLeap(year));
  }

  /** Day number on which a week begins; week 0 holds the first days of 1970. */
  private weekBase(week: number): number {
    return week * 7 + this.weekStart - 3;
  }

  /** Sets the days of a period: `offsets[low..high)` from the day `base`. */
  private enter(period: number): void {
    if (this.rule.freq === 'WEEKLY') {
      this.base = this.weekBase(period);
      this.offsets = this.rule.byMonth.length
        ? this.weekOffsets.filter((offset) => this.inMonths(this.base + offset))
        : this.weekOffsets;
      this.low = 0;
      this.high = this.offsets.length;
      return;
    }
    const monthly = this.rule.freq === 'MONTHLY';
    const year = monthly ? Math.floor(period / 12) : period;
    const days = this.days.of(year);
    this.base = january1(year);
    this.offsets = days.offsets;
    this.low = monthly ? days.months[period - year * 12]! : 0;
    this.high = monthly ? days.months[period - year * 12 + 1]! : days.offsets.length;
  }

  private inMonths(day: number): boolean {
    const year = yearOf(day);
    return this.rule.byMonth.includes(monthOf(day - january1(year), isLeap(year)) + 1);
  }

  private emitAll(times: number[], from: number, to: number, most: number): boolean {
    const { base, offsets, dayTimes } = this;
    for (let index = this.low; index < this.high; index++) {
      const midnight = (base + offsets[index]!) * DAY;
      if (midnight + DAY <= from) continue;
      if (midnight > to) return true;
      for (const ofDay of dayTimes) {
        const time = midnight + ofDay;
        if (time < from) continue;
        if (time > to || times.push(time) === most) return true;
      }
    }
    return false;
  }

  private emitPicked(times: number[], from: number, to: number, most: number): boolean {
    const { base, offsets, low, dayTimes } = this;
    for (const place of this.picked((this.high - low) * dayTimes.length)) {
      const day = Math.floor(place / dayTimes.length);
      const time = (base + offsets[low + day]!) * DAY + dayTimes[place - day * dayTimes.length]!;
      if (time < from) continue;
      if (time > to || times.push(time) === most) return true;
    }
    return false;
  }

  private picked(size: number): readonly number[] {
    let places = this.picks.get(size);
    if (!places) {
      places = pick(this.rule.bySetPos, size);
      this.picks.set(size, places);
    }
    return places;
  }
}

/** DAILY and HOURLY: equal steps, some of which the rule leaves out, and the same times in each. */
class StepsPlan extends Plan {
  private readonly unit: number;
  private readonly days: DaySet | null;
  private readonly hours: readonly boolean[] | null;
  private readonly unitTimes: readonly number[];
  private readonly firstStep: number;
  private readonly timesInDay: number;

  constructor(rule: Rule, start: number) {
    super(rule, start);
    const hourly = rule.freq === 'HOURLY';
    this.unit = hourly ? HOUR : DAY;
    const conditioned =
      rule.byMonth.length + rule.byYearDay.length + rule.byMonthDay.length + rule.byDay.length;
    this.days = conditioned ? daySetOf(conditionsOf(rule, Math.floor(start / DAY))) : null;
    this.firstStep = Math.floor(start / this.unit);
    this.hours = hourly && rule.byHour.length ? this.reachableHours() : null;
    const all = hourly ? timesOfHour(rule, start) : timesOfDay(rule, start);
    this.unitTimes = rule.bySetPos.length ? pick(rule.bySetPos, all.length).map((place) => all[place]!) : all;
    this.timesInDay = this.countInDay();
    if (rule.count !== null) this.limitTo(rule.count);
  }

  protected fill(times: number[], from: number, to: number, most: number): void {
    const { unit, unitTimes, days, hours, firstStep } = this;
    const { interval } = this.rule;
    if (!unitTimes.length || (hours && !hours.includes(true))) return;
    const stepsPerDay = DAY / unit;
    const end = Math.floor(to / unit);
    let step = align(Math.floor(from / unit), firstStep, interval);
    while (step <= end) {
      this.steps++;
      if (days) {
        const day = Math.floor(step / stepsPerDay);
        const next = days.next(day);
        if (next !== day) {
          if (next === Number.POSITIVE_INFINITY) return;
          step = align(next * stepsPerDay, firstStep, interval);
          continue;
        }
      }
      if (!hours || hours[step - Math.floor(step / 24) * 24]) {
        for (const ofUnit of unitTimes) {
          const time = step * unit + ofUnit;
          if (time < from) continue;
          if (time > to || times.push(time) === most) return;
        }
      }
      step += interval;
    }
  }

  protected regular() {
    if (this.days || this.hours || !this.unitTimes.length) return null;
    return { count: this.unitTimes.length, length: this.unit, origin: this.firstStep * this.unit };
  }

  protected wholeYear(year: number): number | null {
    if (!this.timesInDay) return null;
    return this.timesInDay * (this.days ? this.days.of(year).offsets.length : daysIn(year));
  }

  /** How many times every day yields that the rule lets through; 0 where that changes from day to day. */
  private countInDay(): number {
    const stepsPerDay = DAY / this.unit;
    if (stepsPerDay % this.rule.interval) return 0;
    let steps = 0;
    for (let step = 0; step < stepsPerDay; step++) {
      if ((step - this.firstStep) % this.rule.interval === 0 && (!this.hours || this.hours[step])) steps++;
    }
    return steps * this.unitTimes.length;
  }

  /** The hours of BYHOUR that steps of this width from this start can ever fall on. */
  private reachableHours(): boolean[] {
    const reached = new Array<boolean>(24).fill(false);
    for (let step = 0; step < 24; step++)
      reached[(((this.firstStep + step * this.rule.interval) % 24) + 24) % 24] = true;
    return reached.map((on, hour) => on && this.rule.byHour.includes(hour));
  }
}

/** The first value from `least` on that is a whole number of intervals after `origin`. */
function align(least: number, origin: number, interval: number): number {
  const over = (least - origin) % interval;
  return over === 0 ? least : least + interval - over;
}

/** The places (from 0) that BYSETPOS takes out of a set, ascending. */
function pick(bySetPos: readonly number[], size: number): number[] {
  const places = bySetPos.map((position) => (position > 0 ? position - 1 : size + position));
  return [...new Set(places.filter((place) => place >= 0 && place < size))].sort((a, b) => a - b);
}

/** The conditions on days, with what the start fills in where the rule leaves the day open. */
function conditionsOf(rule: Rule, startDay: number): DayConditions {
  const conditions: DayConditions = {
    months: rule.byMonth,
    weekNos: rule.byWeekNo,
    yearDays: rule.byYearDay,
    monthDays: rule.byMonthDay,
    weekdays: rule.byDay.map(({ weekday, nth }) => ({ weekday: WEEKDAYS.indexOf(weekday), nth })),
    nthWithin: rule.freq === 'YEARLY' && rule.byMonth.length === 0 ? 'year' : 'month',
    weekStart: WEEKDAYS.indexOf(rule.wkst),
  };
  if (rule.byDay.length || rule.byMonthDay.length || rule.byYearDay.length) return conditions;
  if (rule.freq === 'WEEKLY' || rule.byWeekNo.length) {
    conditions.weekdays = [{ weekday: weekdayOf(startDay), nth: 0 }];
  } else if (rule.freq === 'YEARLY' || rule.freq === 'MONTHLY') {
    const year = yearOf(startDay);
    const month = monthOf(startDay - january1(year), isLeap(year));
    const monthDay = startDay - january1(year) - MONTH_STARTS[isLeap(year) ? 1 : 0][month]! + 1;
    conditions.monthDays = [monthDay];
    if (rule.freq === 'YEARLY' && !rule.byMonth.length) conditions.months = [month + 1];
  }
  return conditions;
}

/** The times within a day that a rule yields, in ms, ascending. */
function timesOfDay(rule: Rule, start: number): number[] {
  const hours = rule.byHour.length ? rule.byHour : [Math.floor(start / HOUR) - Math.floor(start / DAY) * 24];
  return hours.flatMap((hour) => timesOfHour(rule, start).map((ofHour) => hour * HOUR + ofHour));
}

function timesOfHour(rule: Rule, start: number): number[] {
  const inHour = start - Math.floor(start / HOUR) * HOUR;
  const minutes = rule.byMinute.length ? rule.byMinute : [Math.floor(inHour / 60_000)];
  const seconds = rule.bySecond.length ? rule.bySecond : [Math.floor((inHour % 60_000) / 1000)];
  return minutes.flatMap((minute) =>
    seconds.map((second) => minute * 60_000 + second * 1000 + (inHour % 1000)),
  );
}

/** Plans kept: an event that is asked for again is not planned again. */
const MAX_PLANS = 2000;
const plans = new Map<number, Map<Rule, Plan>>();
let kept = 0;

/** The plan of a rule for a start (wall time, ms). */
export function planOf(rule: Rule, start: number): Plan {
  let ofStart = plans.get(start);
  const known = ofStart?.get(rule);
  if (known) return known;
  if (kept >= MAX_PLANS) {
    plans.clear();
    kept = 0;
    ofStart = undefined;
  }
  if (!ofStart) {
    ofStart = new Map();
    plans.set(start, ofStart);
  }
  const plan =
    rule.freq === 'DAILY' || rule.freq === 'HOURLY' ? new StepsPlan(rule, start) : new DaysPlan(rule, start);
  ofStart.set(rule, plan);
  kept++;
  return plan;
}
