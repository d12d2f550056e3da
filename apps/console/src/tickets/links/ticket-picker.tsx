import type { Ticket } from '@firmdesk/contract';
import { Picker, PickerItem } from '../../ui/overlays/picker.tsx';
import { ticketStatusLabels } from '../properties/ticket-labels.ts';

export type ShownTicket = Pick<Ticket, 'id' | 'number' | 'subject' | 'status'>;

/** A dialog in which a ticket is chosen from a list. */
export function TicketPicker({
  tickets,
  onChoose,
  ...picker
}: {
  title: string;
  placeholder: string;
  text: string;
  onText(text: string): void;
  tickets: readonly ShownTicket[];
  /** Shown if there are no tickets. */
  empty: string;
  onChoose(ticket: ShownTicket): void;
  onClose(): void;
}) {
  return (
    <Picker {...picker} isTitleShown>
      {tickets.map((ticket) => (
        <PickerItem key={ticket.id} id={ticket.id} onChoose={() => onChoose(ticket)}>
          <span className="shrink-0 text-xs text-muted tabular-nums">{ticket.number}</span>
          <span className="min-w-0 flex-1 truncate">{ticket.subject}</span>
          <span className="shrink-0 text-xs text-muted">{ticketStatusLabels[ticket.status].label}</span>
        </PickerItem>
      ))}
    </Picker>
  );
}
