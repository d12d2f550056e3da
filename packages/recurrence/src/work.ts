import { RecurrenceError } from './errors.ts';

/** An allowance of work, in steps of about 0.1 µs each; what is done within {@link limitWork} is taken off it. */
export interface WorkBudget {
  steps: number;
}

/** Steps that the calls in progress may still take. Everything in this package is synchronous, so one number serves all. */
let left = Number.POSITIVE_INFINITY;

/**
 * Runs a function, whose calls into this package may together take no more steps than the budget has; throws
 * `too-much-work` where they would. A budget can be used again, for what is left of it. Limits nest: the tighter one holds.
 */
export function limitWork<T>(budget: WorkBudget, run: () => T): T {
  const outer = left;
  const allowed = Math.min(outer, Math.max(0, budget.steps));
  left = allowed;
  try {
    return run();
  } finally {
    const spent = allowed - left;
    budget.steps -= spent;
    left = outer - spent;
  }
}

/** Takes steps off the budgets in force. Throws `too-much-work` where none are left. */
export function spend(steps: number): void {
  left -= steps;
  if (left < 0) throw new RecurrenceError('too-much-work', 'The series takes too much work to expand');
}
