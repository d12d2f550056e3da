import { type SupportDirectory, ticketPriorities } from '@firmdesk/contract';
import { groupLabels } from '../filters/filter-labels.ts';
import type { InboxSearch } from './inbox-search.ts';

/** The operators of the search field, with an example of each. */
export const searchOperators = {
  from: 'from:kim',
  tag: 'tag:chargeback',
  status: 'status:open',
  assignee: 'assignee:me',
  team: 'team:payments',
  priority: 'priority:urgent',
  before: 'before:2026-11-20',
  after: 'after:2026-11-01',
  has: 'has:attachment',
  due: 'due:1h',
} as const;

type Operator = keyof typeof searchOperators;

/** What is found in a typed text: the filters of its operators, the rest, and the first operator whose value is not known. */
export interface ParsedText {
  filters: InboxSearch;
  rest: string;
  problem: string | null;
}

const TOKEN = /-?"[^"]*"?|(-?)([a-z]{1,10}):("[^"]*"?|\S*)|\S+/gi;

/**
 * Parses a typed text. Its last operator is only read if it is complete: followed by a space, or `isEntered`. Operators with unknown
 * values, and excluded ones, stay in the rest.
 */
export function parseSearchText(
  text: string,
  directory: SupportDirectory | undefined,
  isEntered: boolean,
): ParsedText {
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
    if (minus) {
      rest.push(token);
      found.problem ??= `“${token}” excludes nothing: “-” works only before words and phrases. Example: -word`;
      continue;
    }
    if (!isComplete) continue;
    const filter = value === '' ? undefined : filterOf(operator, value, directory);
    if (filter) Object.assign(found.filters, filter);
    else {
      rest.push(token);
      found.problem ??= `No match for “${token}”. Example: ${searchOperators[operator]}`;
    }
  }
  found.rest = rest.join(' ');
  return found;
}

/** Returns whether a text ends in an operator that is still being typed. */
export function endsInOperator(text: string): boolean {
  const last = [...text.matchAll(TOKEN)].at(-1);
  return (
    last?.[2] !== undefined &&
    last[1] === '' &&
    Object.hasOwn(searchOperators, last[2].toLowerCase()) &&
    last.index + last[0].length === text.length
  );
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function filterOf(
  operator: Operator,
  value: string,
  directory: SupportDirectory | undefined,
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
    case 'before':
    case 'after':
      return DAY.test(value) && !Number.isNaN(Date.parse(value)) ? { [operator]: value } : undefined;
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
