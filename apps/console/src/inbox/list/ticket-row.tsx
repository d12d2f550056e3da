import type { Ticket } from '@firmdesk/contract';
import { Check, CloudOff } from 'lucide-react';
import { memo } from 'react';
import { useIsStalled } from '../../outbox/outbox.ts';
import { DraftBadge } from '../../tickets/composer/draft-badge.tsx';
import { DueClock } from '../../tickets/properties/due-clock.tsx';
import { nextDue } from '../../tickets/properties/next-due.ts';
import { SnoozeSign } from '../../tickets/properties/snooze-badge.tsx';
import { priorityLabels, ticketStatusLabels } from '../../tickets/properties/ticket-labels.ts';
import { useUnsavedOf, visibleChanges, withUnsaved } from '../../tickets/sending/unsaved-ticket.ts';
import { ViewersSign } from '../../tickets/viewers.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Skeleton } from '../../ui/states.tsx';
import { Timestamp, WaitingTime } from '../../ui/time/timestamp.tsx';
import { usePreview } from './previews.ts';

/** The height of every row, in pixels. It is fixed, so that the position of a row is known before it is loaded. */
export const ROW_HEIGHT = 58;

/** Returns the DOM id of the row of a ticket. */
export function rowElementId(ticket: string): string {
  return `row-${ticket}`;
}

const statusColors = {
  neutral: 'text-muted',
  accent: 'text-accent',
  ai: 'text-ai-text',
  success: 'text-success',
  warning: 'text-warning',
  danger: 'text-danger',
} as const;

export interface TicketRowProps {
  ticket: Ticket;
  /** The ticket's URL with the list's filters. */
  href: string;
  /** 1-based. */
  position: number;
  /** The size of the list, or -1 if it is not known. */
  size: number;
  /** Whether keyboard actions apply to this row. */
  isActive: boolean;
  /** Whether this ticket is open. */
  isOpen: boolean;
  /** Whether the row is selected for a bulk change; undefined if rows cannot be selected, null while none is. */
  selected?: boolean | null | undefined;
  /** Whether the list has tickets of several statuses, which the rows then show. */
  isMixed: boolean;
  /** Whether the account has an unsent reply or note. */
  hasDraft: boolean;
  /** Pixels from the top of the list. */
  top: number;
}

export const TicketRow = memo(function TicketRow({
  ticket: stored,
  href,
  position,
  size,
  isActive,
  isOpen,
  selected,
  isMixed,
  hasDraft,
  top,
}: TicketRowProps) {
  const entries = useUnsavedOf(stored.id);
  const ticket = withUnsaved(stored, entries);
  const isUnsaved = useIsStalled() && visibleChanges(entries).length > 0;
  return (
    // A plain link. Router links would delay frames of a fast scroll; the list handles clicks.
    <a
      id={rowElementId(ticket.id)}
      data-ticket={ticket.id}
      role="option"
      tabIndex={-1}
      href={href}
      aria-selected={isOpen}
      aria-checked={selected ?? undefined}
      aria-setsize={size}
      aria-posinset={position}
      // Keeps the focus on the list: rows unmount while scrolling.
      onMouseDown={(event) => event.preventDefault()}
      draggable={false}
      style={{ height: ROW_HEIGHT, transform: `translateY(${top}px)` }}
      className={classNames(
        'group/row absolute inset-x-0 top-0 flex flex-col justify-center gap-0.5 border-b border-l-2 border-b-line px-3 transition-transform duration-150',
        isOpen ? 'border-l-accent' : 'border-l-transparent',
        isOpen || selected ? 'bg-selected' : 'hover:bg-hover',
        selected !== undefined && (selected === null ? 'pl-6' : 'pl-11'),
        isActive &&
          'group-focus-visible/list:outline-2 group-focus-visible/list:-outline-offset-2 group-focus-visible/list:outline-accent',
      )}
    >
      {selected !== undefined && <SelectBox isSelected={selected} />}
      <FirstLine ticket={ticket} />
      <span className="flex h-5 items-center gap-2 text-xs text-muted">
        <SecondLine ticket={ticket} isMixed={isMixed} />
        <SnoozeSign ticket={ticket} />
        <ViewersSign ticketId={ticket.id} />
        {hasDraft && <DraftBadge />}
        {isUnsaved && (
          <span title="Not saved" className="shrink-0 text-warning">
            <CloudOff size={14} aria-hidden="true" />
            <span className="sr-only">Not saved</span>
          </span>
        )}
        {(ticket.priority === 'urgent' || ticket.priority === 'high') && (
          <Badge tone={ticket.priority === 'urgent' ? 'danger' : 'warning'}>
            {priorityLabels[ticket.priority]}
          </Badge>
        )}
        <Tags tags={ticket.tags} />
        <Holder ticket={ticket} />
      </span>
    </a>
  );
});

/** Where a click selects the row. It is shown while rows are selected, and where the pointer is. */
function SelectBox({ isSelected }: { isSelected: boolean | null }) {
  return (
    <span
      data-select=""
      aria-hidden="true"
      className={classNames(
        'absolute inset-y-0 left-0 flex items-center justify-center',
        isSelected === null ? 'w-6 opacity-0 max-lg:hidden group-hover/row:opacity-100' : 'w-11',
      )}
    >
      <span
        className={classNames(
          'flex size-3.5 items-center justify-center rounded border',
          isSelected ? 'border-accent bg-accent-solid text-on-accent' : 'border-line-strong bg-surface',
        )}
      >
        {isSelected && <Check size={12} strokeWidth={3} />}
      </span>
    </span>
  );
}

function FirstLine({ ticket }: { ticket: Ticket }) {
  const { trader, unread, subject } = ticket;
  return (
    <span className="flex items-center gap-2">
      {unread > 0 && <span aria-hidden="true" className="unread-dot" />}
      <span className={classNames('max-w-2/5 shrink-0 truncate', unread > 0 && 'font-semibold')}>
        {trader.name}
        {trader.deleted && ' (account deleted)'}
        {unread > 0 && <span className="sr-only">, {unread} unread</span>}
      </span>
      <span
        className={classNames('min-w-0 flex-1 truncate', unread > 0 ? 'font-medium' : 'text-muted')}
        title={subject}
      >
        {subject}
        <span className="sr-only">, </span>
      </span>
      <Clock ticket={ticket} />
    </span>
  );
}

/** The one time that matters: until when an answer is due, otherwise since when the trader waits, otherwise the latest message. */
function Clock({ ticket }: { ticket: Ticket }) {
  const { status, last_message_at } = ticket;
  if (nextDue(ticket)) return <DueClock ticket={ticket} size="short" />;
  return (
    <span className="shrink-0 text-xs text-muted tabular-nums">
      {status === 'awaiting_admin' ? (
        <WaitingTime since={last_message_at} className="text-warning" />
      ) : (
        <Timestamp at={last_message_at} />
      )}
    </span>
  );
}

/** The status where the list mixes them, and the beginning of the latest message. The number is shown while the pointer is on the row. */
function SecondLine({ ticket, isMixed }: { ticket: Ticket; isMixed: boolean }) {
  const { label, tone } = ticketStatusLabels[ticket.status];
  const preview = usePreview(ticket);
  return (
    <span className="min-w-0 flex-1 truncate">
      <span className="sr-only tabular-nums group-hover/row:not-sr-only">{ticket.number} </span>
      {isMixed && <span className={classNames('font-medium', statusColors[tone])}>{label}</span>}
      {isMixed && preview !== '' && ' · '}
      <bdi>{preview}</bdi>
    </span>
  );
}

const SHOWN_TAGS = 3;

function Tags({ tags }: Pick<Ticket, 'tags'>) {
  if (tags.length === 0) return null;
  const names = tags.map(({ name }) => name).join(', ');
  return (
    <span title={names} className="flex shrink-0 items-center gap-0.5">
      {tags.slice(0, SHOWN_TAGS).map(({ id, color }) => (
        <span key={id} aria-hidden="true" className="tag-dot" style={{ backgroundColor: color }} />
      ))}
      <span className="sr-only">Tags: {names}</span>
    </span>
  );
}

function Holder({ ticket: { assignee, team } }: { ticket: Ticket }) {
  if (!assignee) return team && <span className="max-w-24 truncate">{team.name}</span>;
  const label = `Assigned to ${assignee.name}`;
  return (
    <span className="flex shrink-0" title={label}>
      <Avatar name={assignee.name} url={assignee.avatar_url} label={label} size="small" />
    </span>
  );
}

/** The placeholder of a row that is loading. */
export function LoadingRow({ top }: { top: number }) {
  return (
    <div
      aria-hidden="true"
      style={{ height: ROW_HEIGHT, transform: `translateY(${top}px)` }}
      className="absolute inset-x-0 top-0 flex flex-col justify-center gap-2 border-b border-line px-3.5"
    >
      <Skeleton className="h-3.5 w-4/5" />
      <Skeleton className="h-3 w-3/5" />
    </div>
  );
}
