import type { TicketWithCan } from '@firmdesk/contract';
import { X } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { TicketLink } from './ticket-link.tsx';
import { changeLink } from './ticket-links.ts';

/** The tickets that a ticket is linked with. */
export function LinkedTickets({ ticket }: { ticket: TicketWithCan }) {
  return (
    <ul className="-mx-2 space-y-0.5">
      {ticket.links.map((other) => (
        <li key={other.id} className="flex items-start gap-1">
          <TicketLink ticket={other}>
            <span className="tabular-nums">{other.number}</span>
          </TicketLink>
          {ticket.can.manage && (
            <IconButton
              icon={X}
              iconSize={14}
              label={`Remove the link with ${other.number}`}
              onClick={() => void changeLink('unlink', ticket, other)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
