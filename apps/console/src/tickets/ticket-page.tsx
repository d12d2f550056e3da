import type { TicketWithCan } from '@firmdesk/contract';
import { ID_BODY, idPrefixes } from '@firmdesk/contract';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useAccount } from '../session/account.ts';
import { usePageTitle } from '../ui/page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx';
import { moveDrafts } from './composer/draft-sync.ts';
import { pruneDrafts } from './composer/reply-drafts.ts';
import { useReadyTicket } from './ready-ticket.ts';
import { Ticket } from './ticket.tsx';
import { pruneTicketCacheSoon, useTicketQuery } from './ticket-query.ts';

const route = getRouteApi('/firm/tickets/$ticket');
const TICKET_ID = new RegExp(`^${idPrefixes.ticket}${ID_BODY}$`);

/** The ticket in the URL. */
export function TicketPage() {
  const { ticket } = route.useParams();
  useEffect(() => {
    try {
      pruneDrafts(localStorage, Date.now());
    } catch {
      // Without storage there are no drafts.
    }
  }, []);
  if (!TICKET_ID.test(ticket)) return <NotATicket key={ticket} ticketId={ticket} />;
  // The key resets all state when another ticket is opened.
  return <LoadedTicket key={ticket} ticketId={ticket} />;
}

function LoadedTicket({ ticketId }: { ticketId: string }) {
  const { data: ticket, error, refetch } = useTicketQuery(ticketId);
  useEffect(pruneTicketCacheSoon, []);
  usePageTitle(ticket ? `${ticket.number} ${ticket.subject}` : 'Ticket');
  if (ticket?.merged_into) return <MergedTicket ticket={ticket} into={ticket.merged_into} />;
  if (ticket) return <Ticket ticket={ticket} />;
  if (error) return <FailedTicket ticketId={ticketId} error={error} onRetry={() => void refetch()} />;
  return <LoadingRows label="Loading the ticket" />;
}

/** Shows the ticket that another one was merged into in its place, with the texts that were not sent. */
function MergedTicket({ ticket, into }: { ticket: TicketWithCan; into: string }) {
  const { user } = useAccount();
  const [isMoved, setMoved] = useState(false);
  // Before the composer is shown, which opens with what there is to continue.
  useLayoutEffect(() => {
    moveDrafts(user.id, ticket.id, into);
    setMoved(true);
  }, [user.id, ticket.id, into]);
  // The keys that act on the highlighted row act on the ticket that is shown, and wait until it is.
  useReadyTicket(ticket.id, into);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <p role="note" className="border-b border-line bg-hover px-4.5 py-1.5 text-sm text-muted">
        {ticket.number} “{ticket.subject}” was merged into this ticket.
      </p>
      <div className="min-h-0 flex-1">{isMoved && <LoadedTicket key={into} ticketId={into} />}</div>
    </div>
  );
}

/** Has no shortcuts: keys that waited for the ticket have no effect. */
function FailedTicket({ ticketId, ...failure }: { ticketId: string; error: unknown; onRetry(): void }) {
  useReadyTicket(ticketId);
  return <ErrorState {...failure} />;
}

function NotATicket({ ticketId }: { ticketId: string }) {
  useReadyTicket(ticketId);
  usePageTitle('Not found');
  return <EmptyState title="Not found">No ticket has this link.</EmptyState>;
}
