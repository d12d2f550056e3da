import type { Macro, TicketPriority } from '@firmdesk/contract';

/** The values of the form of a macro. */
export interface MacroValues {
  name: string;
  team: number | null;
  texts: { language: string; text: string }[];
  tags: number[];
  status: '' | 'awaiting_admin' | 'resolved' | 'closed';
  priority: '' | TicketPriority;
  assignee: string;
}

export const newMacro: MacroValues = {
  name: '',
  team: null,
  texts: [{ language: 'en', text: '' }],
  tags: [],
  status: '',
  priority: '',
  assignee: '',
};

export function valuesOfMacro({ name, team, texts, actions }: Macro): MacroValues {
  return {
    name,
    team: team?.id ?? null,
    texts: [...texts],
    tags: actions.add_tags,
    status: actions.status ?? '',
    priority: actions.priority ?? '',
    assignee: actions.assignee ?? '',
  };
}

/** Returns the values as the service takes them. */
export function inputOf({ name, team, texts, tags, status, priority, assignee }: MacroValues) {
  return {
    name,
    team,
    texts: texts.map(({ language, text }) => ({ language: language.trim(), text })),
    actions: {
      add_tags: tags,
      status: status || null,
      priority: priority || null,
      assignee: assignee === 'me' ? ('me' as const) : assignee || null,
    },
  };
}
