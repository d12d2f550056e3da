import { readChoice, readPeriod } from '@firmdesk/contract';
import type { Bind } from '../../platform/search/search-index.ts';

/** Returns the condition that a time is in a period; null without one. */
export function periodCondition(column: string, text: string | undefined, bind: Bind): string | null {
  const period = text === undefined ? null : readPeriod(text);
  if (period === null) return null;
  const [from, until] = period.map((time) => `${bind(new Date(time).toISOString())}::timestamptz`);
  return `(${column} >= ${from} and ${column} < ${until})`;
}

/** Returns the condition of a filter; null if it selects all tickets. */
export function chosen(
  text: string | undefined,
  conditionOf: (values: readonly string[]) => string,
): string | null {
  const choice = readChoice(text);
  if (choice === null) return null;
  const condition = conditionOf(choice.values);
  // A ticket without an agent, a team or a due time has none of the values.
  return choice.isExcluded ? `(${condition}) is not true` : condition;
}

/** Returns the condition that a column has one of some values, which are written as SQL. */
export function isOneOf(column: string, values: readonly (string | number)[]): string {
  return values.length === 1 ? `${column} = ${values[0]}` : `${column} in (${values.join(', ')})`;
}
