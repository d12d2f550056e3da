import type { ReplyActions, SupportDirectory } from '@firmdesk/contract';
import { priorityLabels, ticketStatusLabels } from '../tickets/properties/ticket-labels.ts';

/** One change that is made with a reply: its label, and the actions without it. */
export interface ShownAction {
  key: string;
  label: string;
  without: ReplyActions;
}

/** Returns the changes of a reply, for display. Tags and agents that the firm no longer has are left out. */
export function describeActions(
  actions: ReplyActions,
  directory: Pick<SupportDirectory, 'agents' | 'tags'> | undefined,
): ShownAction[] {
  const { add_tags, status, priority, assignee } = actions;
  const shown: ShownAction[] = [];
  for (const id of add_tags) {
    const tag = directory?.tags.find((each) => each.id === id);
    const without = { ...actions, add_tags: add_tags.filter((each) => each !== id) };
    if (tag) shown.push({ key: `tag ${id}`, label: `Tag “${tag.name}”`, without });
  }
  if (status)
    shown.push({
      key: 'status',
      label: `Status: ${ticketStatusLabels[status].label}`,
      without: { ...actions, status: null },
    });
  if (priority)
    shown.push({
      key: 'priority',
      label: `Priority: ${priorityLabels[priority]}`,
      without: { ...actions, priority: null },
    });
  const agent = directory?.agents.find(({ id }) => id === assignee);
  if (agent)
    shown.push({
      key: 'assignee',
      label: `Assign to ${agent.name}`,
      without: { ...actions, assignee: null },
    });
  return shown;
}
