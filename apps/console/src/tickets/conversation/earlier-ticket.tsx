import type { LinkedTicket, TicketWithCan } from '@firmdesk/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CornerDownRight, CornerLeftUp } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { ticketStatusLabels } from '../properties/ticket-labels.ts';
import { messagesQuery } from './conversation-query.ts';
import { Message } from './message.tsx';

/** Above the messages of a follow-up: the ticket that it follows, with its messages on demand. */
export function EarlierTicket({ ticket }: { ticket: TicketWithCan }) {
  const [isShown, setShown] = useState(false);
  const earlier = ticket.links.find(({ relation }) => relation === 'follows');
  if (!earlier) return null;
  return (
    <section aria-label={`Earlier ticket ${earlier.number}`} className="mb-3 border-b border-line pb-3">
      <div className="flex items-center gap-2 text-muted">
        <CornerLeftUp size={14} aria-hidden="true" className="shrink-0" />
        <span className="min-w-0 flex-1 truncate">
          Follow-up of <StoryLink ticket={earlier} />
        </span>
        <button
          type="button"
          aria-expanded={isShown}
          onClick={() => setShown(!isShown)}
          className="min-h-6 shrink-0 font-medium text-accent hover:underline"
        >
          {isShown ? 'Hide its messages' : 'Show its messages'}
        </button>
      </div>
      {isShown && <EarlierMessages earlier={earlier} ticket={ticket} />}
    </section>
  );
}

function EarlierMessages({ earlier, ticket }: { earlier: LinkedTicket; ticket: TicketWithCan }) {
  const pages = useInfiniteQuery(messagesQuery(earlier.id));
  if (pages.error) return <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />;
  if (!pages.data) return <LoadingRows label="Loading the earlier messages" rows={3} />;
  const messages = pages.data.pages.flatMap(({ data }) => data).toReversed();
  return (
    <>
      {pages.hasNextPage && (
        <button
          type="button"
          disabled={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
          className="mx-auto my-2 block min-h-8 rounded-md px-3 text-muted hover:bg-hover"
        >
          {pages.isFetchingNextPage ? 'Loading older messages…' : 'Show older messages'}
        </button>
      )}
      <ol className="mt-3 space-y-2.5">
        {messages.map((message) => (
          <li key={message.id}>
            <Message message={message} ticket={ticket} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** Below the messages of an ended ticket: the tickets that follow it, oldest first. */
export function LaterTickets({ ticket: { links } }: { ticket: TicketWithCan }) {
  const later = links.filter(({ relation }) => relation === 'followed_by').toReversed();
  if (later.length === 0) return null;
  return (
    <ul aria-label="Follow-ups" className="mt-3 space-y-1 border-t border-line pt-3 text-muted">
      {later.map((ticket) => (
        <li key={ticket.id} className="flex items-center gap-2">
          <CornerDownRight size={14} aria-hidden="true" className="shrink-0" />
          <span className="min-w-0 flex-1 truncate">
            Continued in <StoryLink ticket={ticket} />
          </span>
          <Badge tone={ticketStatusLabels[ticket.status].tone}>
            {ticketStatusLabels[ticket.status].label}
          </Badge>
        </li>
      ))}
    </ul>
  );
}

function StoryLink({ ticket: { id, number, subject } }: { ticket: LinkedTicket }) {
  return (
    <Link
      to="/tickets/$ticket"
      params={{ ticket: id }}
      search={true}
      className="font-medium text-text hover:underline"
    >
      {number} {subject}
    </Link>
  );
}
