import { DAY, HOUR } from './civil.ts';
import { RULE_LIMITS } from './parse-rule.ts';
import { alignToInterval, Plan, pickPositions } from './plan.ts';
import type { Rule } from './rule.ts';
import { conditionsOf, timesOfDay, timesOfHour } from './rule-defaults.ts';
import { type DaySet, daySetOf, daysIn } from './year-days.ts';

/** The plan of DAILY and HOURLY rules: equal steps, some of which the rule excludes, with the same times in each. */
export class StepPlan extends Plan {
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
    this.unitTimes = rule.bySetPos.length
      ? pickPositions(rule.bySetPos, all.length).map((position) => all[position]!)
      : all;
    this.timesInDay = this.countInDay();
    if (rule.count !== null) this.applyCount(rule.count, RULE_LIMITS.countedPeriods);
  }

  protected fill(times: number[], from: number, to: number, limit: number): void {
    const { unit, unitTimes, days, hours, firstStep } = this;
    const { interval } = this.rule;
    if (!unitTimes.length || (hours && !hours.includes(true))) return;
    const stepsPerDay = DAY / unit;
    const end = Math.floor(to / unit);
    let step = alignToInterval(Math.floor(from / unit), firstStep, interval);
    while (step <= end) {
      this.visit();
      if (days) {
        const day = Math.floor(step / stepsPerDay);
        const next = days.next(day);
        if (next !== day) {
          if (next === Number.POSITIVE_INFINITY) return;
          step = alignToInterval(next * stepsPerDay, firstStep, interval);
          continue;
        }
      }
      if (!hours || hours[step - Math.floor(step / 24) * 24]) {
        for (const ofUnit of unitTimes) {
          const time = step * unit + ofUnit;
          if (time < from) continue;
          if (time > to || times.push(time) === limit) return;
        }
      }
      step += interval;
    }
  }

  protected regularPeriod() {
    if (this.days || this.hours || !this.unitTimes.length) return null;
    return { count: this.unitTimes.length, length: this.unit, origin: this.firstStep * this.unit };
  }

  protected timesInYear(year: number): number | null {
    if (!this.timesInDay) return null;
    return this.timesInDay * (this.days ? this.days.of(year).offsets.length : daysIn(year));
  }

  /** Returns the number of times on each matching day, or 0 if it differs from day to day. */
  private countInDay(): number {
    const stepsPerDay = DAY / this.unit;
    if (stepsPerDay % this.rule.interval) return 0;
    let steps = 0;
    for (let step = 0; step < stepsPerDay; step++) {
      if ((step - this.firstStep) % this.rule.interval === 0 && (!this.hours || this.hours[step])) steps++;
    }
    return steps * this.unitTimes.length;
  }

  /** Returns which hours of BYHOUR the steps can fall on, given the interval and the start. */
  private reachableHours(): boolean[] {
    const reached = new Array<boolean>(24).fill(false);
    for (let step = 0; step < 24; step++) {
      reached[(((this.firstStep + step * this.rule.interval) % 24) + 24) % 24] = true;
    }
    return reached.map((on, hour) => on && this.rule.byHour.includes(hour));
  }
}
