import { DAY, isLeap, january1, monthOf, yearOf } from './civil.ts';
import { RULE_LIMITS } from './parse-rule.ts';
import { alignToInterval, Plan, pickPositions } from './plan.ts';
import type { Rule } from './rule.ts';
import { conditionsOf, timesOfDay } from './rule-defaults.ts';
import { type DaySet, daySetOf, weekYearOf } from './year-days.ts';

/** The plan of YEARLY, MONTHLY and WEEKLY rules: each period is a set of days with the same times of day. */
export class PeriodPlan extends Plan {
  private readonly days: DaySet;
  private readonly dayTimes: readonly number[];
  private readonly byWeekNo: boolean;
  private readonly weekStart: number;
  private readonly weekOffsets: readonly number[];
  private readonly firstPeriod: number;
  private readonly positionsBySize = new Map<number, readonly number[]>();
  /** The days of the current period: `offsets[low..high)`, counted from the day `base`. */
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
    if (rule.count !== null) this.applyCount(rule.count, RULE_LIMITS.countedPeriods);
  }

  protected fill(times: number[], from: number, to: number, limit: number): void {
    const { interval } = this.rule;
    const end = this.periodOf(to);
    for (
      let period = alignToInterval(this.periodOf(from), this.firstPeriod, interval);
      period <= end;
      period += interval
    ) {
      this.visit();
      this.setPeriod(period);
      if (this.low === this.high) continue;
      const done = this.rule.bySetPos.length
        ? this.emitPositions(times, from, to, limit)
        : this.emitAll(times, from, to, limit);
      if (done) return;
    }
  }

  protected regularPeriod() {
    if (this.rule.freq !== 'WEEKLY' || this.rule.byMonth.length) return null;
    const inWeek = this.weekOffsets.length * this.dayTimes.length;
    const count = this.rule.bySetPos.length ? this.positionsIn(inWeek).length : inWeek;
    return count ? { count, length: 7 * DAY, origin: this.weekBase(this.firstPeriod) * DAY } : null;
  }

  protected timesInYear(year: number): number | null {
    const { freq, interval, bySetPos } = this.rule;
    if (this.byWeekNo || (freq !== 'YEARLY' && (interval > 1 || bySetPos.length))) return null;
    if (freq === 'YEARLY' && (year - this.firstPeriod) % interval) return 0;
    const all = this.days.of(year).offsets.length * this.dayTimes.length;
    return bySetPos.length ? this.positionsIn(all).length : all;
  }

  private periodOf(time: number): number {
    const day = Math.floor(time / DAY);
    if (this.rule.freq === 'WEEKLY') return Math.floor((day - this.weekBase(0)) / 7);
    if (this.byWeekNo) return weekYearOf(day, this.weekStart);
    const year = yearOf(day);
    return this.rule.freq === 'YEARLY' ? year : year * 12 + monthOf(day - january1(year), isLeap(year));
  }

  /** Returns the day number on which a week begins. Week 0 contains 1970-01-01. */
  private weekBase(week: number): number {
    return week * 7 + this.weekStart - 3;
  }

  /** Makes a period the current one. */
  private setPeriod(period: number): void {
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

  private emitAll(times: number[], from: number, to: number, limit: number): boolean {
    const { base, offsets, dayTimes } = this;
    for (let index = this.low; index < this.high; index++) {
      const midnight = (base + offsets[index]!) * DAY;
      if (midnight + DAY <= from) continue;
      if (midnight > to) return true;
      for (const ofDay of dayTimes) {
        const time = midnight + ofDay;
        if (time < from) continue;
        if (time > to || times.push(time) === limit) return true;
      }
    }
    return false;
  }

  private emitPositions(times: number[], from: number, to: number, limit: number): boolean {
    const { base, offsets, low, dayTimes } = this;
    for (const position of this.positionsIn((this.high - low) * dayTimes.length)) {
      const day = Math.floor(position / dayTimes.length);
      const time = (base + offsets[low + day]!) * DAY + dayTimes[position - day * dayTimes.length]!;
      if (time < from) continue;
      if (time > to || times.push(time) === limit) return true;
    }
    return false;
  }

  /** Returns the positions that BYSETPOS selects in a period with a number of times. */
  private positionsIn(size: number): readonly number[] {
    let positions = this.positionsBySize.get(size);
    if (!positions) {
      positions = pickPositions(this.rule.bySetPos, size);
      this.positionsBySize.set(size, positions);
    }
    return positions;
  }
}
