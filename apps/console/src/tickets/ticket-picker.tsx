import type { LinkedTicket } from '@firmdesk/contract';
import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import { useOverlayFocus } from '../ui/overlay-focus.ts';
import { ticketStatusLabels } from './ticket-labels.ts';

/** A dialog in which a ticket is chosen from a list, by keyboard or pointer. */
export function TicketPicker({
  title,
  placeholder,
  text,
  onText,
  tickets,
  empty,
  onChoose,
  onClose,
}: {
  title: string;
  placeholder: string;
  text: string;
  onText(text: string): void;
  tickets: readonly LinkedTicket[];
  /** Shown if there are no tickets. */
  empty: string;
  onChoose(ticket: LinkedTicket): void;
  onClose(): void;
}) {
  const focus = useOverlayFocus();
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          {...focus}
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-raised shadow-2xl"
        >
          <Dialog.Title className="px-4 pt-3 font-semibold">{title}</Dialog.Title>
          <Command shouldFilter={false} label={title}>
            <Command.Input
              value={text}
              onValueChange={onText}
              placeholder={placeholder}
              className="w-full border-b border-line bg-transparent px-4 py-3 text-base outline-none placeholder:text-muted"
            />
            <Command.List className="max-h-[min(24rem,60dvh)] overflow-y-auto p-2">
              <Command.Empty className="px-3 py-6 text-center text-muted">{empty}</Command.Empty>
              {tickets.map((ticket) => (
                <Command.Item
                  key={ticket.id}
                  value={ticket.id}
                  onSelect={() => onChoose(ticket)}
                  className="flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 data-[selected=true]:bg-selected max-md:min-h-11"
                >
                  <span className="shrink-0 text-xs text-muted tabular-nums">{ticket.number}</span>
                  <span className="min-w-0 flex-1 truncate">{ticket.subject}</span>
                  <span className="shrink-0 text-xs text-muted">
                    {ticketStatusLabels[ticket.status].label}
                  </span>
                </Command.Item>
              ))}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
