import type { CalendarEvent } from '@firmdesk/contract';
import { CloudOff, MailQuestionMark } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { useIsStalled } from '../../outbox/outbox.ts';
import { useAccount } from '../../session/account.ts';
import { classNames } from '../../ui/class-names.ts';
import { hueStyle } from '../calendars/calendars.ts';
import { EventDetails } from '../event/event-details.tsx';
import { formatEventTime, isBusyBlock, startTime } from '../event/event-format.ts';
import type { ShownEvent } from '../event/unsaved-events.ts';

/** An occurrence in the calendar. A click opens its details. */
export function EventChip({
  event,
  hue,
  hasTime = false,
  isTall = false,
  continuesBefore = false,
  continuesAfter = false,
  className,
  onEdit,
}: {
  event: ShownEvent;
  hue: number;
  hasTime?: boolean;
  /** Whether there is room for two lines. */
  isTall?: boolean;
  continuesBefore?: boolean;
  continuesAfter?: boolean;
  className?: string;
  onEdit(event: CalendarEvent): void;
}) {
  const [isOpen, setOpen] = useState(false);
  const { timezone } = useAccount().user;
  const isPending = event.status === 'pending';
  const isUnsaved = useIsStalled() && event.unsaved !== undefined;
  const time = hasTime && startTime(event, timezone);
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger
        data-grid-item=""
        data-status={event.status}
        data-busy={isBusyBlock(event) || undefined}
        style={hueStyle(hue)}
        className={classNames(
          'in-hue event-chip flex w-full min-w-0 overflow-hidden rounded px-1.5 text-left text-xs outline-offset-0',
          isTall ? 'flex-col pt-0.5 leading-4' : 'items-center leading-5',
          continuesBefore && 'rounded-l-none',
          continuesAfter && 'rounded-r-none',
          className,
        )}
      >
        <span className="flex w-full min-w-0 items-center gap-1">
          {isPending && <MailQuestionMark size={13} aria-hidden="true" className="shrink-0" />}
          {isUnsaved && <CloudOff size={13} aria-hidden="true" className="shrink-0" />}
          {time && !isTall && (
            <span aria-hidden="true" className="shrink-0 opacity-90">
              {time}
            </span>
          )}
          <span className="truncate font-medium">{event.title}</span>
          <span className="sr-only">
            , {formatEventTime(event, timezone)}
            {isPending && ', invitation not answered'}
            {isUnsaved && ', not saved'}
          </span>
        </span>
        {isTall && (
          <span aria-hidden="true" className="w-full truncate">
            {time}
            {event.location && ` · ${event.location}`}
          </span>
        )}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          data-event-details=""
          aria-label={event.title}
          sideOffset={6}
          collisionPadding={12}
          // Focuses the popover, not the select in it, which arrow keys would change.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          className="z-40 max-h-(--radix-popover-content-available-height) w-[min(24rem,calc(100vw-1.5rem))] overflow-y-auto rounded-xl border border-line bg-raised p-4 shadow-2xl outline-none"
        >
          <EventDetails event={event} onClose={() => setOpen(false)} onEdit={() => onEdit(event)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
