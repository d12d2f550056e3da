import { MAX_MACRO_TEXT, MAX_RULE_ACTIONS, type RuleAction, ticketPriorities } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { macrosQuery } from '../../macros/macro-queries.ts';
import { priorityLabels, ticketStatusLabels } from '../../tickets/properties/ticket-labels.ts';
import { useAssignableAgents, useSupportDirectory } from '../../tickets/properties/use-support-directory.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextAreaField } from '../../ui/fields/field.tsx';
import { type Choice, labelled, named, SelectField } from '../../ui/fields/select-field.tsx';
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
            choices={labelled(actionLabels).filter(([set]) => newAction(set, firm))}
            onValue={(value) => {
              const next = newAction(value, firm);
              if (next) set(index, next);
            }}
          />
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
              icon={Trash2}
              label={`Remove action ${index + 1}`}
              onClick={() => onChange(actions.toSpliced(index, 1))}
            />
          )}
        </div>
      ))}
      {actions.length < MAX_RULE_ACTIONS && (
        <Button onClick={() => onChange([...actions, { set: 'note', body: '' }])}>Add an action</Button>
      )}
    </fieldset>
  );
}

interface Named<Id> {
  id: Id;
  name: string;
}

const statuses = ['awaiting_admin', 'awaiting_trader', 'resolved', 'closed'] as const;

function Value({
  action,
  label,
  lists,
  onChange,
}: {
  action: RuleAction;
  label: string;
  lists: Record<'agents' | 'everybody' | 'macros', readonly Named<string>[]> &
    Record<'teams' | 'tags', readonly Named<number>[]>;
  onChange(action: RuleAction): void;
}) {
  function choice<Chosen extends string | number | boolean | null>(
    value: Chosen,
    choices: readonly Choice<Chosen>[],
    choose: (value: Chosen) => RuleAction,
  ) {
    return (
      <SelectField
        label={label}
        isLabelHidden
        value={value}
        choices={choices}
        onValue={(value) => onChange(choose(value))}
      />
    );
  }
  switch (action.set) {
    case 'assignee':
      return choice(action.assignee, [[null, 'Nobody'], ...named(lists.agents)], (assignee) => ({
        ...action,
        assignee,
      }));
    case 'team':
      return choice(action.team, [[null, 'No team'], ...named(lists.teams)], (team) => ({ ...action, team }));
    case 'priority':
      return choice(
        action.priority,
        ticketPriorities.map((each) => [each, priorityLabels[each]]),
        (priority) => ({ ...action, priority }),
      );
    case 'status':
      return choice(
        action.status,
        statuses.map((each) => [each, ticketStatusLabels[each].label]),
        (status) => ({ ...action, status }),
      );
    case 'add_tag':
    case 'remove_tag':
      return choice(action.tag, named(lists.tags), (tag) => ({ ...action, tag }));
    case 'macro':
      return choice(action.macro, named(lists.macros), (macro) => ({ ...action, macro }));
    case 'notification':
      return choice(
        action.agent,
        [[null, 'Those it is assigned to'], ...named(lists.everybody)],
        (agent) => ({ ...action, agent }),
      );
    case 'assistant':
      return choice(
        action.enabled,
        [
          [true, 'To the assistant'],
          [false, 'From the assistant to the team'],
        ],
        (enabled) => ({ ...action, enabled }),
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
