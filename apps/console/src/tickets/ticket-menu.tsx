import type { TicketWithCan } from '@firmdesk/contract';
import { Ellipsis } from 'lucide-react';
import { Suspense } from 'react';
import { useStoredValue } from '../stored-value.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/overlays/menu.tsx';
import { useFollow } from './properties/follow-button.tsx';
import { isEnded } from './properties/ticket-labels.ts';
import { showsChanges } from './properties/use-ticket-history.ts';
import { LinkTicketDialog, MergeTicketDialog, NewTicketDialog, SnoozeDialog } from './ticket-tools.ts';

/** A tool of a ticket that opens a dialog. */
export type TicketTool = 'snooze' | 'link' | 'merge' | 'new' | 'follow-up';

/** The menu of a ticket's less frequent actions. */
export function TicketMenu({
  ticket,
  onTool,
  onMarkUnread,
}: {
  ticket: TicketWithCan;
  onTool(tool: TicketTool): void;
  onMarkUnread(): void;
}) {
  const { can, status, trader } = ticket;
  const follow = useFollow(ticket);
  const isShown = useStoredValue(showsChanges);
  return (
    <Menu label="More actions" align="end" trigger={<IconButton icon={Ellipsis} label="More actions" />}>
      <MenuItem keys="f" onSelect={follow}>
        {ticket.following ? 'Unfollow' : 'Follow'}
      </MenuItem>
      <MenuItem keys="H" onSelect={() => showsChanges.set(!isShown)}>
        {isShown ? 'Show messages only' : 'Show messages and changes'}
      </MenuItem>
      <MenuItem keys="U" onSelect={onMarkUnread}>
        Mark as unread
      </MenuItem>
      {can.manage && (
        <>
          <MenuItem keys="h" isDisabled={isEnded(status)} onSelect={() => onTool('snooze')}>
            Snooze…
          </MenuItem>
          <MenuItem keys="L" onSelect={() => onTool('link')}>
            Link a ticket…
          </MenuItem>
          <MenuItem keys="M" isDisabled={isEnded(status)} onSelect={() => onTool('merge')}>
            Merge into another ticket…
          </MenuItem>
          {isEnded(status) && (
            <MenuItem keys="o" isDisabled={trader.deleted} onSelect={() => onTool('follow-up')}>
              Open a follow-up…
            </MenuItem>
          )}
          <MenuItem isDisabled={trader.deleted} onSelect={() => onTool('new')}>
            New ticket for {trader.name}…
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

/** The dialog of the tool that was chosen. */
export function TicketToolDialog({
  ticket,
  tool,
  onSnooze,
  onClose,
}: {
  ticket: TicketWithCan;
  tool: TicketTool | null;
  onSnooze(until: Date | null): void;
  onClose(): void;
}) {
  if (tool === null) return null;
  return (
    <Suspense>
      {tool === 'snooze' && (
        <SnoozeDialog
          title={`Snooze ${ticket.number}`}
          description="The ticket leaves your team’s lists until then, or until the trader writes."
          untimed="Until the trader writes"
          onSnooze={onSnooze}
          onClose={onClose}
        />
      )}
      {tool === 'link' && <LinkTicketDialog ticket={ticket} onClose={onClose} />}
      {tool === 'merge' && <MergeTicketDialog ticket={ticket} onClose={onClose} />}
      {tool === 'new' && <NewTicketDialog to={ticket.trader.email} onClose={onClose} />}
      {tool === 'follow-up' && (
        <NewTicketDialog to={ticket.trader.email} follows={ticket} onClose={onClose} />
      )}
    </Suspense>
  );
}
