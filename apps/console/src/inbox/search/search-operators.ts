import { readChoice, type SupportDirectory, ticketPriorities, writeChoice } from '@firmdesk/contract';
import { groupLabels } from '../filters/filter-labels.ts';
import type { InboxSearch } from './inbox-search.ts';

/** The operators of the search field, with what each selects. */
export const searchOperators = {
  from: 'trader',
  is: 'unread or mine',
  status: 'status',
  assignee: 'agent',
  tag: 'tag',
  team: 'team',
  priority: 'priority',
  due: 'due time',
  has: 'attachment',
  after: 'active since a day',
  before: 'active before a day',
} as const;

export type Operator = keyof typeof searchOperators;

/** What the values of operators refer to. */
export interface SearchScope {
  /** Undefined until it is loaded. */
  directory: SupportDirectory | undefined;
  userId: string;
  /** The day in the account's time zone. */
  today: string;
}

/** What is found in a typed text: the filters of its operators, the rest, and the first operator whose value is not known. */
export interface ParsedText {
  filters: InboxSearch;
  rest: string;
  problem: string | null;
}

const TOKEN = /-?"[^"]*"?|(-?)([a-z]{1,10}):("[^"]*"?|\S*)|\S+/gi;

/**
 * Parses a typed text. Its last operator is only read if it is complete: followed by a space, or `isEntered`. Operators with unknown
 * values stay in the rest. Several values are separated by commas, and `-` before the operator excludes them: `-tag:fee,vip`.
 */
export function parseSearchText(text: string, scope: SearchScope, isEntered: boolean): ParsedText {
  const found: ParsedText = { filters: {}, rest: '', problem: null };
  const rest: string[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const [token, minus, name = '', quoted = ''] = match;
    const operator = name.toLowerCase() as Operator;
    const isComplete = isEntered || match.index + token.length < text.length;
    const value = quoted.replaceAll('"', '').trim();
    if (!Object.hasOwn(searchOperators, operator) || token.startsWith('"')) {
      rest.push(token);
      continue;
    }
    if (minus && !isExcludable(operator)) {
      rest.push(token);
      found.problem ??= `“${token}” excludes nothing: “-” works before words, phrases and operators such as tag. Example: -word`;
      continue;
    }
    if (!isComplete) continue;
    const filter = value === '' ? undefined : filtersOf(operator, value, minus === '-', scope);
    if (filter) Object.assign(found.filters, filter);
    else {
      rest.push(token);
      found.problem ??= problemOf(operator, value, scope);
    }
  }
  found.rest = rest.join(' ');
  return found;
}

/** Returns the operator that a text ends in, and what is typed of its value; null if it ends in none. */
export function operatorAtEnd(text: string): { operator: Operator; value: string; at: number } | null {
  const last = [...text.matchAll(TOKEN)].at(-1);
  const name = last?.[2]?.toLowerCase() ?? '';
  if (!last || !Object.hasOwn(searchOperators, name)) return null;
  const operator = name as Operator;
  const minus = last[1] ?? '';
  if ((minus && !isExcludable(operator)) || last.index + last[0].length !== text.length) return null;
  return { operator, value: (last[3] ?? '').replaceAll('"', ''), at: last.index + minus.length };
}

/** Returns whether a text ends in an operator that is still being typed. */
export function endsInOperator(text: string): boolean {
  return operatorAtEnd(text) !== null;
}

/** Returns the values that an operator can have, for those that have some. */
export function valuesOf(operator: Operator, { directory }: SearchScope): string[] {
  const names = (entries: readonly { name: string }[] = []) => entries.map(({ name }) => name);
  switch (operator) {
    case 'is':
      return ['unread', 'mine'];
    case 'has':
      return ['attachment'];
    case 'status':
      return Object.values(groupLabels);
    case 'priority':
      return [...ticketPriorities];
    case 'assignee':
      return ['me', 'none', ...names(directory?.agents)];
    case 'team':
      return ['none', ...names(directory?.teams)];
    case 'tag':
      return names(directory?.tags);
    case 'due':
      return ['overdue', '1h', '4h', '1d'];
    case 'before':
    case 'after':
      return ['today', 'yesterday'];
    case 'from':
      return [];
  }
}

/** Returns an operator with a value, as it is typed. */
export function written(operator: Operator, value: string): string {
  return `${operator}:${/\s/.test(value) ? `"${value}"` : value}`;
}

const MAX_EXAMPLES = 3;

/** Returns what is wrong with the value of an operator, and which values there are. */
function problemOf(operator: Operator, value: string, scope: SearchScope): string {
  const values = valuesOf(operator, scope);
  const isDate = operator === 'before' || operator === 'after';
  const examples = [...values.slice(0, MAX_EXAMPLES), ...(isDate ? [scope.today] : [])].map((each) =>
    written(operator, each),
  );
  const what = value === '' ? `“${operator}:” needs a value.` : `“${operator}:${value}” is not known.`;
  if (operator === 'tag' && values.length === 0) return `${what} This firm has no tags.`;
  return examples.length > 0 ? `${what} Try ${examples.join(', ')}.` : what;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the day that a value names: a date, `today`, `yesterday` or a number of days ago such as `7d`. */
export function dayNamed(value: string, today: string): string | undefined {
  if (DAY.test(value)) return Number.isNaN(Date.parse(value)) ? undefined : value;
  const ago = { today: '0', yesterday: '1' }[value] ?? /^(\d{1,4})d$/.exec(value)?.[1];
  if (ago === undefined) return undefined;
  return new Date(Date.parse(today) - Number(ago) * 86_400_000).toISOString().slice(0, 10);
}

/** Whether an operator can have several values, and be excluded. */
function isExcludable(operator: Operator): boolean {
  return operator !== 'from' && operator !== 'before' && operator !== 'after';
}

/** Returns the filters of an operator with one or several values. */
function filtersOf(
  operator: Operator,
  value: string,
  isExcluded: boolean,
  scope: SearchScope,
): InboxSearch | undefined {
  const whole = filterOf(operator, value, scope);
  if (!isExcludable(operator)) return whole;
  // A name can contain a comma.
  const parts = whole ? [whole] : value.split(',').map((part) => filterOf(operator, part.trim(), scope));
  const filters: Record<string, string | undefined> = {};
  for (const part of parts) {
    if (!part) return undefined;
    for (const [name, found] of Object.entries(part)) {
      const values = [...new Set([...(readChoice(filters[name])?.values ?? []), String(found)])];
      filters[name] = writeChoice({ values, isExcluded });
    }
  }
  return filters as InboxSearch;
}

/** Returns the filter of an operator with one value. */
function filterOf(
  operator: Operator,
  value: string,
  { directory, userId, today }: SearchScope,
): InboxSearch | undefined {
  const folded = value.toLowerCase();
  switch (operator) {
    case 'from':
      return { from: value };
    case 'has':
      return folded === 'attachment' || folded === 'image' ? { has: 'attachment' } : undefined;
    case 'due': {
      const due = dueFilter(folded);
      return due === undefined ? undefined : { due };
    }
    case 'is':
      if (folded === 'mine') return { assignee: userId };
      return folded === 'unread' ? { is: 'unread' } : undefined;
    case 'before':
    case 'after': {
      const day = dayNamed(folded, today);
      return day === undefined ? undefined : { [operator]: day };
    }
    case 'priority': {
      const priority = ticketPriorities.find((each) => each === folded);
      return priority && { priority };
    }
    case 'status': {
      const status = (Object.keys(groupLabels) as (keyof typeof groupLabels)[]).find(
        (each) => each === folded || slug(groupLabels[each]) === slug(folded),
      );
      return status && { status };
    }
    case 'assignee': {
      if (folded === 'me' || folded === 'none') return { assignee: folded };
      const agent = named(directory?.agents, folded);
      return agent && { assignee: String(agent.id) };
    }
    case 'team': {
      if (folded === 'none') return { team: 'none' };
      const team = named(directory?.teams, folded);
      return team && { team: String(team.id) };
    }
    case 'tag': {
      const tag = named(directory?.tags, folded);
      return tag && { tag: String(tag.id) };
    }
  }
}

const UNIT_MINUTES = { m: 1, h: 60, d: 1_440 };

/** Returns the filter for `overdue`, or for a time such as `30m`, `4h` or `1d`. */
function dueFilter(value: string): string | undefined {
  if (value === 'overdue') return 'breached';
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(value) ?? [];
  const minutes = Number(count) * UNIT_MINUTES[unit as keyof typeof UNIT_MINUTES];
  return minutes >= 1 && minutes <= 9_999 ? `${minutes}m` : undefined;
}

/** Returns the entry with a name, or the only one whose name begins with it. Spaces can be written as `-`. */
function named<Entry extends { name: string }>(
  entries: readonly Entry[] = [],
  name: string,
): Entry | undefined {
  const exact = entries.find((entry) => slug(entry.name) === slug(name));
  const beginning = entries.filter((entry) => slug(entry.name).startsWith(slug(name)));
  return exact ?? (beginning.length === 1 ? beginning[0] : undefined);
}

function slug(text: string): string {
  return text.toLowerCase().replace(/\s+/g, '-');
}
