import { DAY, january1, MAX_TIME, MAX_YEAR, yearOf } from './civil.ts';
import { RecurrenceError } from './errors.ts';
import type { Rule } from './rule.ts';
import { limitWork, spend } from './work.ts';

/** The number of times whose computation costs as much as visiting one period. */
const TIMES_PER_STEP = 32;

/** Visits are taken off the budget in batches of this size. */
const VISITS_AT_ONCE = 64;

/**
 * A rule, prepared for one start. It yields the wall times (ms) of the rule after the start, in order, from any point on.
 * It does not handle time zones, and does not yield the start itself.
 */
export abstract class Plan {
  protected readonly rule: Rule;
  protected readonly start: number;
  /** The last wall time that the rule can yield: the last one of COUNT, or the last supported time. */
  last: number = MAX_TIME;
  /** Whether COUNT ends the rule. */
  endsByCount: boolean;
  /** The number of periods visited so far, which measures the work of this plan. */
  steps = 0;
  /** The part of `steps` that is already taken off the budgets. */
  private spentSteps = 0;

  constructor(rule: Rule, start: number) {
    this.rule = rule;
    this.start = start;
    this.endsByCount = rule.count !== null;
  }

  /** Returns up to `limit` times within [from, to], ascending. */
  times(from: number, to: number, limit: number): number[] {
    const times: number[] = [];
    const first = Math.max(from, this.start + 1);
    const final = Math.min(to, this.last);
    this.spentSteps = this.steps;
    if (first <= final && limit > 0) this.fill(times, first, final, limit);
    this.spendSteps(times.length / TIMES_PER_STEP);
    return times;
  }

  /** Adds times within [from, to], ascending, until `times` has `limit` of them. */
  protected abstract fill(times: number[], from: number, to: number, limit: number): void;

  /**
   * Returns the number of times in each period, the length of a period and the wall time at which the first one begins (ms), if
   * all periods are alike; null otherwise.
   */
  protected abstract regularPeriod(): { count: number; length: number; origin: number } | null;

  /** Returns the number of times in a calendar year after the year of the start, if it can be computed without a walk; null otherwise. */
  protected abstract timesInYear(year: number): number | null;

  /** Counts a visit to a period, and takes visits off the budgets in batches. */
  protected visit(): void {
    if (++this.steps - this.spentSteps >= VISITS_AT_ONCE) this.spendSteps();
  }

  private spendSteps(more = 0): void {
    const due = this.steps - this.spentSteps + more;
    this.spentSteps = this.steps;
    spend(due);
  }

  /**
   * Turns COUNT into the wall time of the last occurrence. The start counts as the first. If the last one is more than
   * `mostPeriods` visits away, the rule counts as endless.
   */
  protected applyCount(count: number, maxPeriods: number): void {
    const budget = { steps: maxPeriods };
    try {
      limitWork(budget, () => this.findLastTime(count));
    } catch (error) {
      const isFar = error instanceof RecurrenceError && error.reason === 'too-much-work' && budget.steps < 0;
      if (!isFar) throw error;
      this.last = MAX_TIME;
      this.endsByCount = false;
    }
  }

  private findLastTime(count: number): void {
    let left = count - 1;
    let from = this.start + 1;
    const walkTo = (to: number) => {
      while (left > 0 && from <= to) {
        const limit = Math.min(left, 4096);
        const times = this.times(from, to, limit);
        left -= times.length;
        if (left === 0) this.last = times.at(-1)!;
        from = times.length < limit ? to + 1 : times.at(-1)! + 1;
      }
    };
    if (left === 0) this.last = this.start;
    const regular = this.regularPeriod();
    if (regular) {
      const period = this.rule.interval * regular.length;
      walkTo(regular.origin + period - 1);
      const whole = Math.max(0, Math.floor((left - 1) / regular.count));
      from += whole * period;
      left -= whole * regular.count;
    } else {
      let year = yearOf(Math.floor(from / DAY));
      walkTo(january1(year + 1) * DAY - 1);
      for (year++; left > 0 && year <= MAX_YEAR; year++) {
        const inYear = this.timesInYear(year);
        if (inYear === null || inYear >= left) break;
        this.visit();
        left -= inYear;
        from = january1(year + 1) * DAY;
      }
    }
    walkTo(MAX_TIME);
  }
}

/** Returns the first value from `least` on that is a multiple of `interval` after `origin`. */
export function alignToInterval(least: number, origin: number, interval: number): number {
  const over = (least - origin) % interval;
  return over === 0 ? least : least + interval - over;
}

/** Returns the positions (from 0) that BYSETPOS selects in a set, ascending. */
export function pickPositions(bySetPos: readonly number[], size: number): number[] {
  const positions = bySetPos.map((number) => (number > 0 ? number - 1 : size + number));
  return [...new Set(positions.filter((position) => position >= 0 && position < size))].sort((a, b) => a - b);
}
