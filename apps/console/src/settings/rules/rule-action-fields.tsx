import { MAX_MACRO_TEXT, MAX_RULE_ACTIONS, type RuleAction, ticketPriorities } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { macrosQuery } from '../../macros/macro-queries.ts';
import { priorityLabels, ticketStatusLabels } from '../../tickets/properties/ticket-labels.ts';
import { useAssignableAgents, useSupportDirectory } from '../../tickets/properties/use-support-directory.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextAreaField } from '../../ui/fields/field.tsx';
import { Choice, SelectField } from '../../ui/fields/select-field.tsx';
import { actionLabels } from './rule-texts.ts';
import { newAction } from './rule-values.ts';

/** What the rule does, in order. */
export function RuleActionFields({
  actions,
  onChange,
}: {
  actions: readonly RuleAction[];
  onChange(actions: RuleAction[]): void;
}) {
  const directory = useSupportDirectory();
  const agents = useAssignableAgents();
  const macros = useQuery(macrosQuery('all')).data ?? [];
  const firm = { agents, teams: directory?.teams ?? [], tags: directory?.tags ?? [], macros };
  const kinds = (Object.keys(actionLabels) as RuleAction['set'][]).filter((set) => newAction(set, firm));
  const set = (index: number, action: RuleAction) =>
    onChange(actions.map((each, at) => (at === index ? action : each)));
  return (
    <fieldset className="space-y-3 rounded-lg border border-line p-3">
      <legend className="px-1 font-medium">Then</legend>
      {actions.map((action, index) => (
        // Actions have no identity but their place.
        <div key={index} className="flex flex-wrap items-end gap-2">
          <SelectField
            label={`Action ${index + 1}`}
            className="w-44"
            value={action.set}
            onValue={(value) => {
              const next = newAction(value as RuleAction['set'], firm);
              if (next) set(index, next);
            }}
          >
            {kinds.map((each) => (
              <Choice key={each} value={each}>
                {actionLabels[each]}
              </Choice>
            ))}
          </SelectField>
          <div className="min-w-44 flex-1">
            <Value
              action={action}
              label={`${actionLabels[action.set]}: value of action ${index + 1}`}
              lists={{ ...firm, everybody: directory?.agents ?? [] }}
              onChange={(next) => set(index, next)}
            />
          </div>
          {actions.length > 1 && (
            <IconButton
              label={`Remove action ${index + 1}`}
              onClick={() => onChange(actions.toSpliced(index, 1))}
            >
              <Trash2 size={16} aria-hidden="true" />
            </IconButton>
          )}
        </div>
      ))}
      {actions.length < MAX_RULE_ACTIONS && (
        <Button onClick={() => onChange([...actions, { set: 'note', body: '' }])}>Add an action</Button>
      )}
    </fieldset>
  );
}

interface Named {
  id: string | number;
  name: string;
}

function Value({
  action,
  label,
  lists,
  onChange,
}: {
  action: RuleAction;
  label: string;
  lists: Record<'agents' | 'everybody' | 'teams' | 'tags' | 'macros', readonly Named[]>;
  onChange(action: RuleAction): void;
}) {
  const choice = (
    value: string | number | null,
    options: ReactNode,
    choose: (value: string) => RuleAction,
  ) => (
    <SelectField label={label} isLabelHidden value={value ?? ''} onValue={(value) => onChange(choose(value))}>
      {options}
    </SelectField>
  );
  const named = (list: readonly Named[], none?: string) => (
    <>
      {none !== undefined && <Choice value="">{none}</Choice>}
      {list.map(({ id, name }) => (
        <Choice key={id} value={id}>
          {name}
        </Choice>
      ))}
    </>
  );
  switch (action.set) {
    case 'assignee':
      return choice(action.assignee, named(lists.agents, 'Nobody'), (id) => ({
        ...action,
        assignee: id || null,
      }));
    case 'team':
      return choice(action.team, named(lists.teams, 'No team'), (id) => ({
        ...action,
        team: Number(id) || null,
      }));
    case 'priority':
      return choice(
        action.priority,
        named(ticketPriorities.map((id) => ({ id, name: priorityLabels[id] }))),
        (id) => ({ ...action, priority: id as typeof action.priority }),
      );
    case 'status': {
      const statuses = ['awaiting_admin', 'awaiting_trader', 'resolved', 'closed'] as const;
      return choice(
        action.status,
        named(statuses.map((id) => ({ id, name: ticketStatusLabels[id].label }))),
        (id) => ({ ...action, status: id as typeof action.status }),
      );
    }
    case 'add_tag':
    case 'remove_tag':
      return choice(action.tag, named(lists.tags), (id) => ({ ...action, tag: Number(id) }));
    case 'macro':
      return choice(action.macro, named(lists.macros), (id) => ({ ...action, macro: id }));
    case 'notification':
      return choice(action.agent, named(lists.everybody, 'Those it is assigned to'), (id) => ({
        ...action,
        agent: id || null,
      }));
    case 'assistant':
      return choice(
        String(action.enabled),
        <>
          <Choice value="true">To the assistant</Choice>
          <Choice value="false">From the assistant to the team</Choice>
        </>,
        (value) => ({ ...action, enabled: value === 'true' }),
      );
    case 'note':
      return (
        <TextAreaField
          label={label}
          isLabelHidden
          rows={2}
          maxLength={MAX_MACRO_TEXT}
          placeholder="A note for the team"
          value={action.body}
          onChange={({ target }) => onChange({ ...action, body: target.value })}
        />
      );
  }
}
