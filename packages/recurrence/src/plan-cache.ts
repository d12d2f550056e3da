import { PeriodPlan } from './period-plan.ts';
import type { Plan } from './plan.ts';
import type { Rule } from './rule.ts';
import { StepPlan } from './step-plan.ts';
import { spend } from './work.ts';

/** Steps for creating a plan, besides the periods that it visits. */
const PLAN_STEPS = 50;

/** Maximum number of cached plans. */
const MAX_PLANS = 2000;
const plans = new Map<number, Map<Rule, Plan>>();
let cachedPlans = 0;

/** Returns the plan of a rule for a start (wall time, ms). */
export function planOf(rule: Rule, start: number): Plan {
  let ofStart = plans.get(start);
  const known = ofStart?.get(rule);
  if (known) return known;
  if (cachedPlans >= MAX_PLANS) {
    plans.clear();
    cachedPlans = 0;
    ofStart = undefined;
  }
  if (!ofStart) {
    ofStart = new Map();
    plans.set(start, ofStart);
  }
  spend(PLAN_STEPS);
  const plan =
    rule.freq === 'DAILY' || rule.freq === 'HOURLY' ? new StepPlan(rule, start) : new PeriodPlan(rule, start);
  ofStart.set(rule, plan);
  cachedPlans++;
  return plan;
}
