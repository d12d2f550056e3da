import { ID_BODY, idPrefixes, type Notification } from '@firmdesk/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { trpc } from '../api.ts';
import { usePermission } from '../session/account.ts';
import { messagesQuery } from '../tickets/conversation/conversation-query.ts';
import { Message } from '../tickets/conversation/message.tsx';
import { ticketStatusLabels } from '../tickets/properties/ticket-labels.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import { Timestamp } from '../ui/time/timestamp.tsx';
import { notificationLabel } from './kinds.ts';
import { pageOfNotification } from './notification-page.ts';

const ticketPath = new RegExp(`/tickets/(${idPrefixes.ticket}${ID_BODY})(?:[?#]|$)`);

/** What a notification is about, beside the list: a ticket with its latest messages, or its text. */
export function NotificationPreview({
  notification,
  onOpen,
}: {
  notification: Notification;
  onOpen(): void;
}) {
  const { history } = useRouter();
  const mayView = usePermission('view_tickets');
  const { title, body, action_url, created_at } = notification;
  const ticket = mayView ? ticketPath.exec(action_url)?.[1] : undefined;
  const open = () => {
    onOpen();
    history.push(pageOfNotification(action_url));
  };
  return (
    <section aria-label="Preview" className="flex min-h-0 flex-1 flex-col">
      <header className="flex items-start gap-3 border-b border-line bg-surface px-4 py-3">
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold wrap-anywhere">{title}</h2>
          <p className="text-xs text-muted">
            {notificationLabel(notification)} · <Timestamp at={created_at} />
          </p>
        </div>
        <Button onClick={open}>Open</Button>
      </header>
      {ticket === undefined ? (
        <p className="p-4 whitespace-pre-wrap wrap-anywhere">{body}</p>
      ) : (
        <TicketPreview key={ticket} id={ticket} />
      )}
    </section>
  );
}

function TicketPreview({ id }: { id: string }) {
  const { data: ticket, error, refetch } = useQuery(trpc.tickets.get.queryOptions({ ticket: id }));
  const pages = useInfiniteQuery(messagesQuery(id));
  const messages = (pages.data?.pages[0]?.data ?? []).toReversed();
  const scroller = useRef<HTMLElement>(null);
  const newest = messages.at(-1)?.id;
  // The newest message is in view.
  useEffect(() => {
    if (newest !== undefined) scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [newest]);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!ticket) return <LoadingRows label="Loading the ticket" rows={4} />;
  const { label, tone } = ticketStatusLabels[ticket.status];
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2 text-muted">
        <span className="min-w-0 flex-1 truncate text-text">{ticket.subject}</span>
        <Badge tone={tone}>{label}</Badge>
        <span>{ticket.assignee?.name ?? 'Unassigned'}</span>
      </p>
      <section
        ref={scroller}
        aria-label="Latest messages"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto p-4 -outline-offset-2"
      >
        <ol className="mx-auto max-w-170 space-y-2.5">
          {messages.map((message) => (
            <li key={message.id}>
              <Message message={message} ticket={ticket} />
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}
