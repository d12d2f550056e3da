import type { RuleAction, RuleTrigger, TicketRule } from '@firmdesk/contract';

type RuleInput = Pick<TicketRule, 'name' | 'enabled' | 'trigger' | 'conditions' | 'actions' | 'stops'>;

/** The values of the form of a rule: its words and languages as they are typed, separated by commas. */
export interface RuleValues extends Omit<RuleInput, 'conditions'> {
  filter: RuleInput['conditions']['filter'];
  profile: RuleInput['conditions']['profile'];
  words: string;
  languages: string;
}

export const newRule: RuleValues = {
  name: '',
  enabled: true,
  trigger: { on: 'ticket_arrived' },
  filter: {},
  words: '',
  languages: '',
  profile: [],
  actions: [{ set: 'priority', priority: 'high' }],
  stops: false,
};

export function valuesOfRule({ name, enabled, trigger, conditions, actions, stops }: TicketRule): RuleValues {
  const { filter, words, languages, profile } = conditions;
  return {
    ...{ name, enabled, trigger, actions, stops, filter, profile },
    words: words.join(', '),
    languages: languages.join(', '),
  };
}

/** Returns the values as the service takes them. */
export function inputOfRule({ filter, profile, words, languages, ...rest }: RuleValues): RuleInput {
  return { ...rest, conditions: { filter, profile, words: partsOf(words), languages: partsOf(languages) } };
}

function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Returns a trigger of a kind, with the values that are chosen at first. */
export function newTrigger(on: RuleTrigger['on']): RuleTrigger {
  if (on === 'property_changed') return { on, property: 'status' };
  if (on === 'waiting') return { on, for: 'team', minutes: 60 };
  return { on };
}

interface Firm {
  agents: readonly { id: string }[];
  teams: readonly { id: number }[];
  tags: readonly { id: number }[];
  macros: readonly { id: string }[];
}

/** Returns an action of a kind with what the firm has first; null if it has nothing of the kind. */
export function newAction(set: RuleAction['set'], firm: Firm): RuleAction | null {
  switch (set) {
    case 'assignee':
      return { set, assignee: firm.agents[0]?.id ?? null };
    case 'team':
      return { set, team: firm.teams[0]?.id ?? null };
    case 'priority':
      return { set, priority: 'high' };
    case 'status':
      return { set, status: 'resolved' };
    case 'add_tag':
    case 'remove_tag':
      return firm.tags[0] ? { set, tag: firm.tags[0].id } : null;
    case 'macro':
      return firm.macros[0] ? { set, macro: firm.macros[0].id } : null;
    case 'note':
      return { set, body: '' };
    case 'notification':
      return { set, agent: null };
    case 'assistant':
      return { set, enabled: false };
  }
}
