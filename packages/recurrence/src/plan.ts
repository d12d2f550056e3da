import { DAY, january1, LAST_MOMENT, MAX_YEAR, yearOf } from './civil.ts';
import { RecurrenceError } from './errors.ts';
import type { Rule } from './rule.ts';
import { limitWork, spend } from './work.ts';

/** Times that cost about as much to gather as one period to visit. */
const TIMES_PER_STEP = 32;

/** Visits that are counted together. */
const VISITS_AT_ONCE = 64;

/**
 * A rule made ready for one start: it answers which wall times (ms) the rule yields after the start, in order, from any
 * point on. Zones play no part here; the start itself is not among the times.
 */
export abstract class Plan {
  protected readonly rule: Rule;
  protected readonly start: number;
  /** The last wall time that the rule may yield: COUNT's last one, or the last there is. */
  last: number = LAST_MOMENT;
  /** Whether the rule ends by COUNT. */
  endsByCount: boolean;
  /** Periods visited so far: what the work of this plan is measured in. */
  steps = 0;
  /** Those of them that were taken off the budgets. */
  private paidSteps = 0;

  constructor(rule: Rule, start: number) {
    this.rule = rule;
    this.start = start;
    this.endsByCount = rule.count !== null;
  }

  /** Up to `most` times within [from, to], ascending. */
  times(from: number, to: number, most: number): number[] {
    const times: number[] = [];
    const first = Math.max(from, this.start + 1);
    const final = Math.min(to, this.last);
    this.paidSteps = this.steps;
    if (first <= final && most > 0) this.fill(times, first, final, most);
    this.pay(times.length / TIMES_PER_STEP);
    return times;
  }

  protected abstract fill(times: number[], from: number, to: number, most: number): void;

  /** How many times every period yields, where that is one number, and the length of a period; null otherwise. */
  protected abstract regular(): { count: number; length: number; origin: number } | null;

  /** How many times a calendar year after that of the start yields, where that is known without walking it. */
  protected abstract wholeYear(year: number): number | null;

  /** Counts a visit to a period; `times` and this take the visits off the budgets. */
  protected visit(): void {
    if (++this.steps - this.paidSteps >= VISITS_AT_ONCE) this.pay();
  }

  private pay(more = 0): void {
    const due = this.steps - this.paidSteps + more;
    this.paidSteps = this.steps;
    spend(due);
  }

  /**
   * Turns COUNT into the wall time of the last occurrence; the start counts as the first. Where that lies more than
   * `mostPeriods` visits away, the rule counts as endless.
   */
  protected limitTo(count: number, mostPeriods: number): void {
    const budget = { steps: mostPeriods };
    try {
      limitWork(budget, () => this.findLast(count));
    } catch (error) {
      const isFar = error instanceof RecurrenceError && error.reason === 'too-much-work' && budget.steps < 0;
      if (!isFar) throw error;
      this.last = LAST_MOMENT;
      this.endsByCount = false;
    }
  }

  private findLast(count: number): void {
    let left = count - 1;
    let from = this.start + 1;
    const walkTo = (to: number) => {
      while (left > 0 && from <= to) {
        const most = Math.min(left, 4096);
        const times = this.times(from, to, most);
        left -= times.length;
        if (left === 0) this.last = times.at(-1)!;
        from = times.length < most ? to + 1 : times.at(-1)! + 1;
      }
    };
    if (left === 0) this.last = this.start;
    const regular = this.regular();
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
        const inYear = this.wholeYear(year);
        if (inYear === null || inYear >= left) break;
        this.visit();
        left -= inYear;
        from = january1(year + 1) * DAY;
      }
    }
    walkTo(LAST_MOMENT);
  }
}

/** The first value from `least` on that is a whole number of intervals after `origin`. */
export function alignToInterval(least: number, origin: number, interval: number): number {
  const over = (least - origin) % interval;
  return over === 0 ? least : least + interval - over;
}

/** The places (from 0) that BYSETPOS takes out of a set, ascending. */
export function pickPositions(bySetPos: readonly number[], size: number): number[] {
  const places = bySetPos.map((position) => (position > 0 ? position - 1 : size + position));
  return [...new Set(places.filter((place) => place >= 0 && place < size))].sort((a, b) => a - b);
}
