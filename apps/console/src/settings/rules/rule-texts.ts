import type {
  ProfileCondition,
  RuleAction,
  RuleConditions,
  RuleProperty,
  RuleTrigger,
  SupportDirectory,
} from '@firmdesk/contract';
import { describeFilter, type FilterField, filterFields } from '../../inbox/filters/filter-fields.ts';
import { priorityLabels, ticketStatusLabels } from '../../tickets/properties/ticket-labels.ts';
import { languageName } from '../../ui/display-names.ts';

export const triggerLabels: Record<RuleTrigger['on'], string> = {
  ticket_arrived: 'A ticket arrives',
  trader_wrote: 'The trader writes again',
  property_changed: 'A property changes',
  waiting: 'A ticket has waited',
  sla_warned: 'An SLA target is near',
  sla_breached: 'An SLA target is missed',
};

export const propertyLabels: Record<RuleProperty, string> = {
  status: 'Status',
  priority: 'Priority',
  assignee: 'Assignee',
  team: 'Team',
  tags: 'Tags',
  assistant: 'Assistant',
};

export const actionLabels: Record<RuleAction['set'], string> = {
  assignee: 'Assign to',
  team: 'Move to the team',
  priority: 'Set the priority',
  status: 'Set the status',
  add_tag: 'Add the tag',
  remove_tag: 'Remove the tag',
  macro: 'Send the macro',
  note: 'Add a note',
  notification: 'Notify',
  assistant: 'Hand over',
};

export const comparisonLabels: Record<ProfileCondition['is'], string> = {
  equal: 'is',
  not_equal: 'is not',
  at_least: 'is at least',
  at_most: 'is at most',
};

/** The filters that a rule can have: those that do not depend on who reads the list. */
export function ruleFilterFields(directory: SupportDirectory | undefined): FilterField[] {
  return filterFields(directory)
    .filter(({ name }) => name !== 'from' && name !== 'after' && name !== 'before')
    .map((field) => ({ ...field, values: field.values.filter(({ value }) => value !== 'me') }));
}

export function describeTrigger(trigger: RuleTrigger): string {
  switch (trigger.on) {
    case 'property_changed':
      return `${propertyLabels[trigger.property]} changes`;
    case 'waiting':
      return `A ticket has waited ${durationOf(trigger.minutes)} for ${trigger.for === 'team' ? 'a reply' : 'the trader'}`;
    default:
      return triggerLabels[trigger.on];
  }
}

function durationOf(minutes: number): string {
  const [count, unit] =
    minutes % 1_440 === 0
      ? [minutes / 1_440, 'day']
      : minutes % 60 === 0
        ? [minutes / 60, 'hour']
        : [minutes, 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Returns what must hold, as a phrase for each condition. */
export function describeConditions(
  { filter, words, languages, profile }: RuleConditions,
  directory: SupportDirectory | undefined,
): string[] {
  const fields = ruleFilterFields(directory);
  const filters = Object.entries(filter).flatMap(([name, text]) => {
    const field = fields.find((each) => each.name === name);
    return field && text !== undefined ? [describeFilter(field, text)] : [];
  });
  return [
    ...filters,
    ...(words.length > 0 ? [`Text has ${words.map((word) => `“${word}”`).join(' or ')}`] : []),
    ...(languages.length > 0 ? [`Language is ${languages.map(languageName).join(' or ')}`] : []),
    ...profile.map(({ field, is, value }) => `${field.replace(/^\//, '')} ${comparisonLabels[is]} ${value}`),
  ];
}

export interface Macros {
  macros: readonly { id: string; name: string }[];
}

export function describeAction(
  action: RuleAction,
  directory: SupportDirectory | undefined,
  { macros }: Macros,
): string {
  const nameIn = (list: readonly { id: string | number; name: string }[] = [], id: string | number | null) =>
    list.find((each) => each.id === id)?.name ?? '…';
  switch (action.set) {
    case 'assignee':
      return action.assignee === null
        ? 'Unassign'
        : `Assign to ${nameIn(directory?.agents, action.assignee)}`;
    case 'team':
      return action.team === null ? 'Remove the team' : `Move to ${nameIn(directory?.teams, action.team)}`;
    case 'priority':
      return `Set priority ${priorityLabels[action.priority]}`;
    case 'status':
      return `Set status ${ticketStatusLabels[action.status].label}`;
    case 'add_tag':
      return `Add tag ${nameIn(directory?.tags, action.tag)}`;
    case 'remove_tag':
      return `Remove tag ${nameIn(directory?.tags, action.tag)}`;
    case 'macro':
      return `Send macro “${nameIn(macros, action.macro)}”`;
    case 'note':
      return 'Add a note';
    case 'notification':
      return action.agent === null ? 'Notify the team' : `Notify ${nameIn(directory?.agents, action.agent)}`;
    case 'assistant':
      return action.enabled ? 'Hand to the assistant' : 'Hand to the team';
  }
}
