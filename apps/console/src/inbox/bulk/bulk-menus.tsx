import { type BulkChangeAction, ticketPriorities } from '@firmdesk/contract';
import { CircleDot, Flag, type LucideIcon, Tag, User, Users } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useAccount } from '../../session/account.ts';
import { rankByName } from '../../shell/rank-commands.ts';
import { priorityLabels, ticketStatusLabels } from '../../tickets/properties/ticket-labels.ts';
import {
  agentsNamed,
  useAssignableAgents,
  useSupportDirectory,
} from '../../tickets/properties/use-support-directory.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/overlays/menu.tsx';

export type BulkProperty = 'assignee' | 'team' | 'priority' | 'tags' | 'status';

interface BulkMenusProps {
  isDisabled: boolean;
  open: BulkProperty | null;
  onOpen(property: BulkProperty | null): void;
  onAction(action: BulkChangeAction): void;
}

/** A menu for each property that a bulk change can set. */
export function BulkMenus({ onAction, ...props }: BulkMenusProps) {
  const { user } = useAccount();
  const { teams = [], tags = [] } = useSupportDirectory() ?? {};
  const agents = useAssignableAgents();
  const status = (each: 'awaiting_admin' | 'awaiting_trader' | 'resolved' | 'closed') => (
    <MenuItem key={each} onSelect={() => onAction({ set: 'status', status: each })}>
      {ticketStatusLabels[each].label}
    </MenuItem>
  );
  const tagItem = (set: 'add_tag' | 'remove_tag') =>
    tags.map(({ id, name, color }) => (
      <MenuItem key={id} onSelect={() => onAction({ set, tag: id })}>
        <span aria-hidden="true" className="tag-dot" style={{ backgroundColor: color }} />
        {name}
      </MenuItem>
    ));
  return (
    <div className="flex gap-1">
      <BulkMenu property="assignee" label="Assign" keys="a" icon={User} {...props}>
        {(typed) => (
          <>
            {agentsNamed(agents, typed).map(({ id, name, avatar_url }) => (
              <MenuItem key={id} onSelect={() => onAction({ set: 'assignee', assignee: id })}>
                <Avatar name={name} url={avatar_url} size="small" />
                {id === user.id ? `${name} (me)` : name}
              </MenuItem>
            ))}
            <MenuSeparator />
            {rankByName([{ name: 'Unassigned' }], typed).map(({ name }) => (
              <MenuItem key={name} onSelect={() => onAction({ set: 'assignee', assignee: null })}>
                {name}
              </MenuItem>
            ))}
          </>
        )}
      </BulkMenu>
      <BulkMenu property="team" label="Team" keys="t" icon={Users} {...props}>
        {(typed) => (
          <>
            {rankByName(teams, typed).map(({ id, name }) => (
              <MenuItem key={id} onSelect={() => onAction({ set: 'team', team: id })}>
                {name}
              </MenuItem>
            ))}
            {teams.length > 0 && <MenuSeparator />}
            {rankByName([{ name: 'No team' }], typed).map(({ name }) => (
              <MenuItem key={name} onSelect={() => onAction({ set: 'team', team: null })}>
                {name}
              </MenuItem>
            ))}
          </>
        )}
      </BulkMenu>
      <BulkMenu property="priority" label="Priority" keys="p" icon={Flag} {...props}>
        {ticketPriorities.map((priority) => (
          <MenuItem key={priority} onSelect={() => onAction({ set: 'priority', priority })}>
            {priorityLabels[priority]}
          </MenuItem>
        ))}
      </BulkMenu>
      <BulkMenu property="tags" label="Tags" keys="l" icon={Tag} {...props}>
        {tags.length === 0 && (
          <MenuItem isDisabled onSelect={() => {}}>
            The firm has no tags
          </MenuItem>
        )}
        {tags.length > 0 && (
          <>
            <MenuLabel>Add</MenuLabel>
            {tagItem('add_tag')}
            <MenuSeparator />
            <MenuLabel>Remove</MenuLabel>
            {tagItem('remove_tag')}
          </>
        )}
      </BulkMenu>
      <BulkMenu property="status" label="Status" keys="s" icon={CircleDot} {...props}>
        {status('awaiting_admin')}
        {status('awaiting_trader')}
        <MenuSeparator />
        <MenuLabel>Can’t be reopened</MenuLabel>
        {status('resolved')}
        {status('closed')}
      </BulkMenu>
    </div>
  );
}

function BulkMenu({
  property,
  label,
  keys,
  icon: Icon,
  isDisabled,
  open,
  onOpen,
  children,
}: {
  property: BulkProperty;
  label: string;
  keys: string;
  icon: LucideIcon;
  children: ComponentProps<typeof Menu>['children'];
} & Omit<BulkMenusProps, 'onAction'>) {
  return (
    <Menu
      label={label}
      isOpen={open === property}
      onOpenChange={(isOpen) => onOpen(isOpen ? property : null)}
      trigger={
        <IconButton
          label={label}
          keys={keys}
          variant="plain"
          disabled={isDisabled}
          className="w-auto flex-auto gap-1 px-1 text-xs max-lg:h-11"
        >
          <Icon size={13} aria-hidden="true" className="shrink-0" />
          {label}
        </IconButton>
      }
    >
      {children}
    </Menu>
  );
}
