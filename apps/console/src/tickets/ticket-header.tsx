import type { TicketWithCan } from '@firmdesk/contract';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, CloudOff, History, Link2, MessagesSquare, PanelRight } from 'lucide-react';
import type { OutboxEntry } from '../outbox/entries.ts';
import { useIsStalled } from '../outbox/outbox.ts';
import { pathInFirm } from '../session/firm.ts';
import { toast } from '../shell/toast.ts';
import { useStoredValue } from '../stored-value.ts';
import { IconButton } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { DueClock } from './properties/due-clock.tsx';
import { FollowButton } from './properties/follow-button.tsx';
import {
  AssigneeMenu,
  PriorityMenu,
  type Property,
  StatusMenu,
  TeamMenu,
} from './properties/property-menus.tsx';
import { SnoozeBadge } from './properties/snooze-badge.tsx';
import { showsChanges } from './properties/use-ticket-history.ts';
import { visibleChanges } from './sending/unsaved-ticket.ts';
import { TicketMenu, type TicketTool } from './ticket-menu.tsx';
import type { TicketActions } from './use-ticket-actions.ts';
import { Viewers } from './viewers.tsx';

export interface TicketHeaderProps {
  ticket: TicketWithCan;
  actions: TicketActions;
  /** The property whose menu is open. */
  openProperty: Property | null;
  onOpenProperty(property: Property | null): void;
  onEnd(status: 'resolved' | 'closed'): void;
  onShowDetails(): void;
  onTool(tool: TicketTool): void;
  /** The unconfirmed changes and messages of the ticket. */
  unsaved: readonly OutboxEntry[];
}

/** The subject of a ticket, with the menus of its properties. */
export function TicketHeader({
  ticket,
  actions,
  openProperty,
  onOpenProperty,
  onEnd,
  onShowDetails,
  onTool,
  unsaved,
}: TicketHeaderProps) {
  const menu = (property: Property) => ({
    ticket,
    actions,
    isOpen: openProperty === property,
    onOpenChange: (isOpen: boolean) => onOpenProperty(isOpen ? property : null),
  });
  return (
    <header className="border-b border-line bg-surface px-3 py-2">
      <div className="flex items-center gap-1">
        <Link
          to="/tickets"
          search={true}
          aria-label="Back to the list"
          className="grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-hover lg:hidden"
        >
          <ArrowLeft size={17} aria-hidden="true" />
        </Link>
        <h1
          title={ticket.subject}
          className="flex min-w-0 flex-1 items-baseline gap-1.5 px-1.5 py-1 text-base leading-6 font-semibold max-md:flex-wrap"
        >
          <span className="min-w-0 max-md:line-clamp-2 max-md:wrap-anywhere md:truncate">
            {ticket.subject}
          </span>{' '}
          <span className="shrink-0 text-sm font-normal text-muted">{ticket.number}</span>
        </h1>
        <Viewers ticketId={ticket.id} />
        {/* A narrow ticket has them in its menu. */}
        <span className="hidden @lg:contents">
          <FollowButton ticket={ticket} />
          <ChangesSwitch />
        </span>
        <IconButton icon={Link2} label="Copy link" onClick={() => void copyLink(ticket)} />
        <TicketMenu ticket={ticket} onTool={onTool} onMarkUnread={actions.markUnread} />
        <span className="md:@2xl:hidden">
          <IconButton icon={PanelRight} label="Trader and details" onClick={onShowDetails} />
        </span>
      </div>
      <div
        className={classNames(
          'mt-0.5 flex flex-wrap items-center gap-x-1.5 gap-y-0.5',
          // On a phone a row that scrolls, also the labels for screen readers. Without buttons the keyboard could not scroll it.
          ticket.can.manage &&
            'max-md:relative max-md:-mx-3 max-md:flex-nowrap max-md:overflow-x-auto max-md:px-3 max-md:[scrollbar-width:none] max-md:*:shrink-0 max-md:*:flex-nowrap max-md:*:whitespace-nowrap',
        )}
      >
        <StatusMenu {...menu('status')} onEnd={onEnd} />
        <AssigneeMenu {...menu('assignee')} />
        <PriorityMenu {...menu('priority')} />
        <TeamMenu {...menu('team')} />
        <DueClock ticket={ticket} size="full" />
        <SnoozeBadge ticket={ticket} onEnd={actions.endSnooze} />
        <UnsavedChanges entries={unsaved} />
      </div>
    </header>
  );
}

/** Shows or hides the changes of tickets in conversations. */
function ChangesSwitch() {
  const isShown = useStoredValue(showsChanges);
  return (
    <IconButton
      icon={isShown ? History : MessagesSquare}
      label={isShown ? 'Show messages only' : 'Show messages and changes'}
      keys="H"
      onClick={() => showsChanges.set(!isShown)}
    />
  );
}

/** Says that changes of the ticket are not saved yet. */
function UnsavedChanges({ entries }: { entries: readonly OutboxEntry[] }) {
  const isStalled = useIsStalled();
  const changes = visibleChanges(entries).filter(({ kind }) => kind === 'change');
  if (changes.length === 0) return null;
  return (
    <span
      role="status"
      className={classNames(
        'ml-auto inline-flex items-center gap-1 px-1.5 text-xs',
        isStalled ? 'font-medium text-warning' : 'text-muted',
      )}
    >
      {isStalled && <CloudOff size={13} aria-hidden="true" />}
      {isStalled ? 'Not saved' : 'Saving…'}
    </span>
  );
}

async function copyLink({ id, number }: TicketWithCan): Promise<void> {
  try {
    await navigator.clipboard.writeText(new URL(pathInFirm(`/tickets/${id}`), location.origin).href);
    toast.success(`Link to ${number} copied`);
  } catch {
    toast.error('Couldn’t copy the link');
  }
}
