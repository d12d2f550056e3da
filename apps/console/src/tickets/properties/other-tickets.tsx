import type { TicketWithCan } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { trpc } from '../../api.ts';
import { ticketsOf } from '../../traders/tickets-of.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { TicketLink } from '../links/ticket-link.tsx';

const SHOWN = 8;

/** The trader's other tickets, latest activity first. */
export function OtherTickets({ ticket }: { ticket: TicketWithCan }) {
  const { trader, id } = ticket;
  const { data, error, refetch } = useQuery(
    trpc.tickets.list.queryOptions(
      { q: trader.id, sort: '-last_message_at', limit: SHOWN + 1 },
      { staleTime: 60_000 },
    ),
  );
  if (error) return <Button onClick={() => void refetch()}>Couldn’t load these tickets. Try again</Button>;
  if (!data) return <Skeleton className="h-12" />;
  const others = data.data.filter((other) => other.id !== id).slice(0, SHOWN);
  if (others.length === 0) return <p className="text-muted">No other tickets</p>;
  return (
    <>
      <ul className="-mx-2 space-y-0.5">
        {others.map((other) => (
          <li key={other.id}>
            <TicketLink ticket={other}>
              <Timestamp at={other.last_message_at} />
            </TicketLink>
          </li>
        ))}
      </ul>
      {data.meta.has_more && (
        <Link
          to="/tickets"
          search={ticketsOf(trader.email)}
          className="mt-1 inline-block min-h-6 text-accent hover:underline"
        >
          Show all
        </Link>
      )}
    </>
  );
}
