export { formatLocal, parseLocal } from './civil.ts';
export { RecurrenceError, type RecurrenceReason } from './errors.ts';
export { type ExpandOptions, expand, expandSingle, nextAfter, type Window } from './expand.ts';
export type { Expansion, Occurrence } from './occurrence-collector.ts';
export { parseRule, RULE_LIMITS } from './parse-rule.ts';
export {
  type Frequency,
  formatRule,
  type Rule,
  type RuleDay,
  type StartForm,
  type Until,
  type Weekday,
} from './rule.ts';
export {
  alignUntil,
  type ExtraDate,
  type Moment,
  type Override,
  type Series,
  type SeriesTimes,
} from './series.ts';
export { type Span, spanOf } from './span.ts';
export { limitWork, type WorkBudget } from './work.ts';
export { localToUtc, utcToLocal } from './zone.ts';
export { resolveZone } from './zone-names.ts';
