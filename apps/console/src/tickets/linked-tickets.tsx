import type { TicketWithCan } from '@firmdesk/contract';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { ticketStatusLabels } from './ticket-labels.ts';
import { changeLink } from './ticket-links.ts';

/** The tickets that a ticket is linked with. */
export function LinkedTickets({ ticket }: { ticket: TicketWithCan }) {
  return (
    <ul className="-mx-2 space-y-0.5">
      {ticket.links.map((other) => (
        <li key={other.id} className="flex items-start gap-1">
          <Link
            to="/tickets/$ticket"
            params={{ ticket: other.id }}
            search={true}
            className="min-w-0 flex-1 rounded-md px-2 py-1.5 hover:bg-hover"
          >
            <span className="line-clamp-2 wrap-anywhere">{other.subject}</span>
            <span className="mt-0.5 flex items-center gap-2 text-xs text-muted">
              <span className="tabular-nums">{other.number}</span>
              <Badge tone={ticketStatusLabels[other.status].tone}>
                {ticketStatusLabels[other.status].label}
              </Badge>
            </span>
          </Link>
          {ticket.can.manage && (
            <IconButton
              label={`Remove the link with ${other.number}`}
              onClick={() => void changeLink('unlink', ticket, other)}
            >
              <X size={14} aria-hidden="true" />
            </IconButton>
          )}
        </li>
      ))}
    </ul>
  );
}
