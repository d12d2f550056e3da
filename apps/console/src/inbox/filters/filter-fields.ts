import {
  type Choice,
  readChoice,
  readPeriod,
  type SupportDirectory,
  ticketGroups,
  ticketPriorities,
} from '@firmdesk/contract';
import { priorityLabels } from '../../tickets/properties/ticket-labels.ts';
import type { InboxSearch } from '../search/inbox-search.ts';
import { groupLabels } from './filter-labels.ts';

export interface FilterValue {
  value: string;
  label: string;
  color?: string;
}

export type FilterName = Exclude<keyof InboxSearch, 'q' | 'sort'>;

/**
 * A field that tickets are filtered by. `several`: is, or is not, any of the values. `one`: one of the values. `day` and `text`: also
 * what is typed. `link`: only from a link.
 */
export interface FilterField {
  name: FilterName;
  label: string;
  kind: 'several' | 'one' | 'day' | 'text' | 'link';
  values: readonly FilterValue[];
}

const groups = ticketGroups.filter((group) => group !== 'all');

/** Returns the fields with the values that they have in the firm. */
export function filterFields(directory: SupportDirectory | undefined): FilterField[] {
  const named = (entries: readonly { id: string | number; name: string; color?: string }[] = []) =>
    entries.map(({ id, name, color }) => ({ value: String(id), label: name, ...(color && { color }) }));
  return [
    {
      name: 'status',
      label: 'Status',
      kind: 'several',
      values: groups.map((value) => ({ value, label: groupLabels[value] })),
    },
    {
      name: 'assignee',
      label: 'Assignee',
      kind: 'several',
      values: [
        { value: 'me', label: 'Me or my teams' },
        { value: 'none', label: 'Unassigned' },
        ...named(directory?.agents),
      ],
    },
    {
      name: 'team',
      label: 'Team',
      kind: 'several',
      values: [{ value: 'none', label: 'No team' }, ...named(directory?.teams)],
    },
    {
      name: 'priority',
      label: 'Priority',
      kind: 'several',
      values: ticketPriorities.map((value) => ({ value, label: priorityLabels[value] })),
    },
    { name: 'tag', label: 'Tag', kind: 'several', values: named(directory?.tags) },
    { name: 'from', label: 'Trader', kind: 'text', values: [] },
    {
      name: 'is',
      label: 'Unread',
      kind: 'one',
      values: [
        { value: 'unread', label: 'Unread' },
        { value: '-unread', label: 'Read' },
      ],
    },
    {
      name: 'due',
      label: 'Due',
      kind: 'one',
      values: [
        { value: 'breached', label: 'Overdue' },
        { value: '30m', label: 'Due within 30 minutes' },
        { value: '60m', label: 'Due within 1 hour' },
        { value: '240m', label: 'Due within 4 hours' },
        { value: '1440m', label: 'Due within 1 day' },
        { value: 'set', label: 'Has a due time' },
        { value: '-set', label: 'Has no due time' },
      ],
    },
    {
      name: 'has',
      label: 'Attachments',
      kind: 'one',
      values: [
        { value: 'attachment', label: 'Has attachment' },
        { value: '-attachment', label: 'Has no attachment' },
      ],
    },
    {
      name: 'snoozed',
      label: 'Snoozed',
      kind: 'one',
      values: [
        { value: 'only', label: 'Snoozed' },
        { value: 'all', label: 'With snoozed' },
      ],
    },
    { name: 'after', label: 'Active since', kind: 'day', values: [] },
    { name: 'before', label: 'Active before', kind: 'day', values: [] },
    { name: 'created', label: 'Created', kind: 'link', values: [] },
    { name: 'ended', label: 'Resolved', kind: 'link', values: [] },
    { name: 'hour', label: 'Created in hour', kind: 'link', values: [] },
    { name: 'weekday', label: 'Created on', kind: 'link', values: [] },
    { name: 'language', label: 'Language', kind: 'link', values: [] },
    {
      name: 'replied_by',
      label: 'Replied by',
      kind: 'several',
      values: [
        { value: 'team', label: 'The team' },
        { value: 'assistant', label: 'The assistant' },
        ...named(directory?.agents),
      ],
    },
    { name: 'macro', label: 'Macro', kind: 'several', values: named(directory?.macros) },
    {
      name: 'article',
      label: 'Article',
      kind: 'several',
      values: named(directory?.articles.map(({ id, title }) => ({ id, name: title }))),
    },
    {
      name: 'ended_by',
      label: 'Resolved by',
      kind: 'one',
      values: [
        { value: 'assistant', label: 'Resolved by the assistant alone' },
        { value: 'handover', label: 'Resolved after a hand-over' },
      ],
    },
    {
      name: 'sla',
      label: 'SLA',
      kind: 'one',
      values: [
        { value: 'first_response_met', label: 'First response within the SLA' },
        { value: 'first_response_missed', label: 'First response missed the SLA' },
        { value: 'resolution_met', label: 'Resolution within the SLA' },
        { value: 'resolution_missed', label: 'Resolution missed the SLA' },
      ],
    },
    { name: 'replied', label: 'Reply', kind: 'link', values: [] },
    { name: 'first_reply', label: 'First reply', kind: 'link', values: [] },
    { name: 'rated', label: 'Rated', kind: 'link', values: [] },
  ];
}

/** Returns the values of a filter, and whether they are excluded. */
export function choiceOf({ kind }: Pick<FilterField, 'kind'>, text: string | undefined): Choice {
  if (kind === 'several') return readChoice(text) ?? { values: [], isExcluded: false };
  return { values: text === undefined ? [] : [text], isExcluded: false };
}

/** Returns the values with one added, or without it, in the order of the field. Values that the field does not have come last. */
export function toggled({ values: known }: FilterField, values: readonly string[], value: string): string[] {
  const next = values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
  const order = known.map((each) => each.value);
  return [...order.filter((each) => next.includes(each)), ...next.filter((each) => !order.includes(each))];
}

/** Returns what a filter says: `Priority is not Low`. An unknown value is its own label. */
export function describeFilter(field: FilterField, text: string): string {
  const { values, isExcluded } = choiceOf(field, text);
  const labels = values.map((value) => field.values.find((each) => each.value === value)?.label ?? value);
  switch (field.kind) {
    case 'several':
      return `${field.label} ${isExcluded ? 'is not' : 'is'} ${labels.join(' or ')}`;
    case 'one':
      return field.name === 'due' ? dueLabel(labels[0]!) : labels[0]!;
    case 'day':
      return `${field.label} ${text}`;
    case 'link':
      return `${field.label} ${readPeriod(text) ? periodLabel(text) : text}`;
    case 'text':
      return `${field.label}: ${text}`;
  }
}

/** The days of a period. It ends when its last day does. */
function periodLabel(text: string): string {
  const [from, until] = readPeriod(text) ?? [0, 0];
  return new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).formatRange(from, until - 1);
}

/** Minutes that no choice has can be in a link. */
function dueLabel(label: string): string {
  return /^\d+m$/.test(label) ? `Due within ${Number.parseInt(label, 10)} minutes` : label;
}
