import type { Ticket } from '@firmdesk/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { ticketStatusLabels } from '../properties/ticket-labels.ts';

/** A link to another ticket, with its subject, its status and a further detail. */
export function TicketLink({
  ticket: { id, subject, status },
  children,
}: {
  ticket: Pick<Ticket, 'id' | 'subject' | 'status'>;
  children: ReactNode;
}) {
  const { label, tone } = ticketStatusLabels[status];
  return (
    <Link
      to="/tickets/$ticket"
      params={{ ticket: id }}
      search={true}
      className="block min-w-0 flex-1 rounded-md px-2 py-1.5 hover:bg-hover"
    >
      <span className="line-clamp-2 wrap-anywhere">{subject}</span>
      <span className="mt-0.5 flex items-center justify-between gap-2 text-xs text-muted">
        <Badge tone={tone}>{label}</Badge>
        {children}
      </span>
    </Link>
  );
}
