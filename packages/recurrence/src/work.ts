import { RecurrenceError } from './errors.ts';

/** A budget of work, in steps of about 0.1 µs. {@link limitWork} subtracts the steps that are taken. */
export interface WorkBudget {
  steps: number;
}

/**
 * The steps taken so far, and the number at which the tightest budget ends. One meter serves all budgets, because this package
 * is synchronous. It is a typed array because assigning a fraction to a variable would allocate memory each time.
 */
const meter = new Float64Array([0, Number.POSITIVE_INFINITY]);
const TAKEN = 0;
const END = 1;

/**
 * Runs a function, and throws `too-much-work` if its calls into this package take more steps than the budget has. The rest of
 * a budget can be used in another call. Limits nest; the tighter one applies.
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

/** Subtracts steps from the current budgets. Throws `too-much-work` if none are left. */
export function spend(steps: number): void {
  meter[TAKEN]! += steps;
  if (meter[TAKEN]! > meter[END]!)
    throw new RecurrenceError('too-much-work', 'The series takes too much work to expand');
}
