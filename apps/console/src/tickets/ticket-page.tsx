import { ID_BODY, idPrefixes } from '@firmdesk/contract';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { usePageTitle } from '../ui/page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx';
import { useReadyTicket } from './ready-ticket.ts';
import { pruneDrafts } from './reply-drafts.ts';
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
  if (ticket) return <Ticket ticket={ticket} />;
  if (error) return <FailedTicket ticketId={ticketId} error={error} onRetry={() => void refetch()} />;
  return <LoadingRows label="Loading the ticket" />;
}

/** Has no shortcuts: keys that waited for the ticket have no effect. */
function FailedTicket({ ticketId, ...failure }: { ticketId: string; error: unknown; onRetry(): void }) {
  useReadyTicket(ticketId);
  return <ErrorState {...failure} />;
}

function NotATicket({ ticketId }: { ticketId: string }) {
  useReadyTicket(ticketId);
  usePageTitle('Not found');
  return <EmptyState title="Not found">The URL contains no valid ticket id.</EmptyState>;
}
