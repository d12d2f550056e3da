import { type TicketWithCan, ticketPriorities } from '@firmdesk/contract';
import { Flag, Tag, User, Users } from 'lucide-react';
import { useAccount } from '../../session/account.ts';
import { rankByName } from '../../shell/rank-commands.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge, TagBadge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../../ui/overlays/menu.tsx';
import type { TicketActions } from '../use-ticket-actions.ts';
import type { SettableStatus } from './change-ticket.ts';
import { PropertyButton, PropertyValue } from './property.tsx';
import { isEnded, priorityLabels, ticketStatusLabels } from './ticket-labels.ts';
import { agentsNamed, useAssignableAgents, useSupportDirectory } from './use-support-directory.ts';

export type Property = 'status' | 'assignee' | 'priority' | 'team' | 'tags';

interface MenuProps {
  ticket: TicketWithCan;
  actions: TicketActions;
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
}

export function StatusMenu({
  ticket,
  actions,
  onEnd,
  ...open
}: MenuProps & { onEnd(status: 'resolved' | 'closed'): void }) {
  const { label, tone } = ticketStatusLabels[ticket.status];
  const badge = <Badge tone={tone}>{label}</Badge>;
  if (isEnded(ticket.status) || !ticket.can.manage)
    return <PropertyValue name="Status">{badge}</PropertyValue>;
  const set = (status: SettableStatus) =>
    status === 'resolved' || status === 'closed' ? onEnd(status) : actions.setStatus(status);
  return (
    <Menu label="Status" {...open} trigger={<PropertyButton name="Status">{badge}</PropertyButton>}>
      {(['awaiting_admin', 'awaiting_trader'] as const).map((status) => (
        <MenuChoice key={status} isChosen={status === ticket.status} onSelect={() => set(status)}>
          {ticketStatusLabels[status].label}
        </MenuChoice>
      ))}
      <MenuSeparator />
      <MenuLabel>Can’t be reopened</MenuLabel>
      {(['resolved', 'closed'] as const).map((status) => (
        <MenuChoice key={status} isChosen={false} onSelect={() => set(status)}>
          {ticketStatusLabels[status].label}
        </MenuChoice>
      ))}
    </Menu>
  );
}

export function AssigneeMenu({ ticket, actions, ...open }: MenuProps) {
  const { user } = useAccount();
  const agents = useAssignableAgents();
  const { assignee } = ticket;
  const shown = assignee ? (
    <>
      <Avatar name={assignee.name} url={assignee.avatar_url} size="small" /> {assignee.name}
    </>
  ) : (
    <>
      <User size={13} aria-hidden="true" /> Unassigned
    </>
  );
  if (!ticket.can.manage) return <PropertyValue name="Assignee">{shown}</PropertyValue>;
  return (
    <Menu label="Assignee" {...open} trigger={<PropertyButton name="Assignee">{shown}</PropertyButton>}>
      {(typed) => (
        <>
          {agentsNamed(agents, typed).map((agent) => (
            <MenuChoice
              key={agent.id}
              isChosen={agent.id === assignee?.id}
              onSelect={() => actions.assign(agent)}
            >
              <Avatar name={agent.name} url={agent.avatar_url} size="small" />
              {agent.id === user.id ? `${agent.name} (me)` : agent.name}
            </MenuChoice>
          ))}
          <MenuSeparator />
          {rankByName([{ name: 'Unassigned' }], typed).map(({ name }) => (
            <MenuChoice key={name} isChosen={assignee === null} onSelect={() => actions.assign(null)}>
              {name}
            </MenuChoice>
          ))}
        </>
      )}
    </Menu>
  );
}

export function PriorityMenu({ ticket, actions, ...open }: MenuProps) {
  const isPressing = ticket.priority === 'urgent' || ticket.priority === 'high';
  const shown = (
    <span className={classNames('inline-flex items-center gap-1.5', isPressing && 'font-medium text-danger')}>
      <Flag size={13} aria-hidden="true" /> {priorityLabels[ticket.priority]}
    </span>
  );
  if (!ticket.can.manage) return <PropertyValue name="Priority">{shown}</PropertyValue>;
  return (
    <Menu label="Priority" {...open} trigger={<PropertyButton name="Priority">{shown}</PropertyButton>}>
      {ticketPriorities.map((priority) => (
        <MenuChoice
          key={priority}
          isChosen={priority === ticket.priority}
          onSelect={() => actions.setPriority(priority)}
        >
          {priorityLabels[priority]}
        </MenuChoice>
      ))}
    </Menu>
  );
}

export function TeamMenu({ ticket, actions, ...open }: MenuProps) {
  const teams = useSupportDirectory()?.teams ?? [];
  const shown = (
    <>
      <Users size={13} aria-hidden="true" /> {ticket.team?.name ?? 'No team'}
    </>
  );
  if (!ticket.can.manage) return <PropertyValue name="Team">{shown}</PropertyValue>;
  return (
    <Menu label="Team" {...open} trigger={<PropertyButton name="Team">{shown}</PropertyButton>}>
      {(typed) => (
        <>
          {rankByName(teams, typed).map(({ id, name }) => (
            <MenuChoice
              key={id}
              isChosen={id === ticket.team?.id}
              onSelect={() => actions.setTeam({ id, name })}
            >
              {name}
            </MenuChoice>
          ))}
          {teams.length > 0 && <MenuSeparator />}
          {rankByName([{ name: 'No team' }], typed).map(({ name }) => (
            <MenuChoice key={name} isChosen={ticket.team === null} onSelect={() => actions.setTeam(null)}>
              {name}
            </MenuChoice>
          ))}
        </>
      )}
    </Menu>
  );
}

/** @param props.isFirst whether it has the focus in a sheet that opens */
export function TagsMenu({ ticket, actions, isFirst = false, ...open }: MenuProps & { isFirst?: boolean }) {
  const all = useSupportDirectory()?.tags ?? [];
  const { tags } = ticket;
  const shown =
    tags.length > 0 ? (
      tags.map(({ id, name, color }) => <TagBadge key={id} name={name} color={color} />)
    ) : (
      <>
        <Tag size={13} aria-hidden="true" /> No tags
      </>
    );
  if (!ticket.can.manage) return <PropertyValue name="Tags">{shown}</PropertyValue>;
  const isOn = (id: number) => tags.some((tag) => tag.id === id);
  return (
    <Menu
      label="Tags"
      {...open}
      trigger={
        <PropertyButton name="Tags" {...(isFirst && { 'data-initial-focus': true })}>
          {shown}
        </PropertyButton>
      }
    >
      {(typed) =>
        all.length === 0 ? (
          <MenuItem isDisabled onSelect={() => {}}>
            The firm has no tags
          </MenuItem>
        ) : (
          rankByName(all, typed).map((tag) => (
            <MenuChoice
              key={tag.id}
              keepsOpen
              isChosen={isOn(tag.id)}
              onSelect={() =>
                actions.setTags(isOn(tag.id) ? tags.filter(({ id }) => id !== tag.id) : [...tags, tag])
              }
            >
              <span aria-hidden="true" className="tag-dot" style={{ backgroundColor: tag.color }} />
              {tag.name}
            </MenuChoice>
          ))
        )
      }
    </Menu>
  );
}
