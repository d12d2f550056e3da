import { RecurrenceError } from './errors.ts';

/** An allowance of work, in steps of about 0.1 µs each; what is done within {@link limitWork} is taken off it. */
export interface WorkBudget {
  steps: number;
}

/**
 * Steps taken so far, and the number at which a budget ends. Everything in this package is synchronous, so one meter serves
 * all. In an array, because a variable would make an object of each number.
 */
const meter = new Float64Array([0, Number.POSITIVE_INFINITY]);
const TAKEN = 0;
const END = 1;

/**
 * Runs a function, whose calls into this package may together take no more steps than the budget has; throws
 * `too-much-work` where they would. A budget can be used again, for what is left of it. Limits nest: the tighter one holds.
 */
export function limitWork<T>(budget: WorkBudget, run: () => T): T {
  const before = meter[TAKEN]!;
  const outer = meter[END]!;
  meter[END] = Math.min(outer, before + Math.max(0, budget.steps));
  try {
    return run();
  } finally {
    budget.steps -= meter[TAKEN]! - before;
    meter[END] = outer;
  }
}

/** Takes steps off the budgets in force. Throws `too-much-work` where none are left. */
export function spend(steps: number): void {
  meter[TAKEN]! += steps;
  if (meter[TAKEN]! > meter[END]!)
    throw new RecurrenceError('too-much-work', 'The series takes too much work to expand');
}
