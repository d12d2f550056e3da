import type { TicketMessage, TicketWithCan } from '@firmdesk/contract';
import { useSearch } from '@tanstack/react-router';
import { ArrowDown, Sparkles } from 'lucide-react';
import { Fragment, useMemo } from 'react';
import { useHighlights } from '../../inbox/search/highlight-matches.ts';
import type { UnsavedMessage } from '../../outbox/entries.ts';
import { useTimeZone } from '../../session/account.ts';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { TicketChanges } from '../properties/ticket-changes.tsx';
import type { TicketHistory } from '../properties/use-ticket-history.ts';
import type { DelayedSend } from '../sending/delayed-sends.ts';
import { DelayedMessage, OutgoingMessage } from '../sending/outgoing-message.tsx';
import { isSentFromHere } from '../sending/sent-messages.ts';
import { DayMark } from './day-mark.tsx';
import { EarlierTicket, LaterTickets } from './earlier-ticket.tsx';
import { Message } from './message.tsx';
import { ReplyButtons } from './streaming-reply.tsx';
import { timelineOf } from './timeline.ts';
import type { Conversation as ConversationData } from './use-conversation.ts';
import { useMatchJump } from './use-match-jump.ts';
import type { useScroll } from './use-scroll.ts';

/** The messages and changes of a ticket, oldest first, scrolled to the end. */
export function Conversation({
  ticket,
  conversation,
  history,
  outgoing,
  delayed,
  scroll,
  unseen,
}: {
  ticket: TicketWithCan;
  conversation: ConversationData;
  history: TicketHistory;
  outgoing: readonly UnsavedMessage[];
  delayed: readonly DelayedSend[];
  scroll: ReturnType<typeof useScroll>;
  /** The number of new messages below the visible ones. */
  unseen: number;
}) {
  const { messages, isLoading, error, hasOlder, isLoadingOlder, loadOlder } = conversation;
  const zone = useTimeZone();
  useHighlights(scroll.content, useSearch({ strict: false }).q);
  useMatchJump(ticket.id, conversation, scroll.scroller);
  const command = messages.findLast((each) => each.event === 'ai_command' && isSentFromHere(each));
  const items = useMemo(() => timelineOf(messages, history.entries, zone), [messages, history.entries, zone]);
  return (
    <div className="toast-place relative min-h-0 flex-1">
      <section
        ref={scroll.scroller}
        onScroll={scroll.onScroll}
        aria-label="Conversation"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        className="h-full overflow-y-auto [overflow-anchor:none] -outline-offset-2"
      >
        <div ref={scroll.content} className="mx-auto flex min-h-full max-w-178 flex-col justify-end p-4">
          {isLoading && <LoadingRows label="Loading the conversation" rows={4} />}
          {error ? <ErrorState error={error} onRetry={conversation.reload} /> : null}
          {hasOlder && (
            <button
              type="button"
              onClick={loadOlder}
              disabled={isLoadingOlder}
              className="mx-auto mb-2 min-h-8 rounded-md px-3 text-muted hover:bg-hover"
            >
              {isLoadingOlder ? 'Loading older messages…' : 'Show older messages'}
            </button>
          )}
          {history.hasOlder && (
            <button
              type="button"
              onClick={history.loadOlder}
              className="mx-auto mb-2 min-h-8 rounded-md px-3 text-muted hover:bg-hover"
            >
              Show older changes
            </button>
          )}
          {!isLoading && !error && messages.length + outgoing.length + delayed.length === 0 && (
            <EmptyState title="No messages yet" />
          )}
          {!hasOlder && !isLoading && <EarlierTicket ticket={ticket} />}
          <ol className="space-y-2.5">
            {items.map(({ key, at, isFirstOfDay, message, changes, continues = false }) => (
              <Fragment key={key}>
                {isFirstOfDay && <DayMark at={at} />}
                <li
                  {...(message && { 'data-message': message.id })}
                  tabIndex={-1}
                  className={classNames('outline-offset-2', continues && '!mt-1')}
                >
                  {message ? (
                    <Message message={message} ticket={ticket} command={command} continues={continues} />
                  ) : (
                    <TicketChanges entries={changes} />
                  )}
                </li>
              </Fragment>
            ))}
            {delayed.map((each) => (
              <li key={each.id}>
                <DelayedMessage delayed={each} />
              </li>
            ))}
            {outgoing.map((each) => (
              <li key={each.key}>
                <OutgoingMessage outgoing={each} />
              </li>
            ))}
          </ol>
          <LaterTickets ticket={ticket} />
          {isAwaitingAssistant(messages) && (
            <div className="mt-2.5 flex items-center justify-between gap-2 rounded-lg border border-ai-line bg-ai px-3.5 py-2 text-ai-text">
              <span role="status" className="inline-flex items-center gap-2">
                <Sparkles size={13} aria-hidden="true" />
                The assistant is starting a reply…
              </span>
              {ticket.can.manage && <ReplyButtons ticketId={ticket.id} command={command} />}
            </div>
          )}
        </div>
      </section>
      {unseen > 0 && !scroll.isAtEnd && (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <span className="toast-place absolute inset-x-0 top-0" />
          <button
            type="button"
            onClick={scroll.scrollToEnd}
            className="pointer-events-auto inline-flex h-8 items-center gap-1.5 rounded-full border border-line bg-raised px-3 font-medium shadow-lg"
          >
            <ArrowDown size={14} aria-hidden="true" />
            {unseen === 1 ? '1 new message' : `${unseen} new messages`}
          </button>
        </div>
      )}
    </div>
  );
}

/** Returns whether the assistant was asked and has not started its reply. */
function isAwaitingAssistant(messages: readonly TicketMessage[]): boolean {
  const last = messages.findLast(({ event, from }) => event?.startsWith('ai_command') || from === 'ai');
  return last?.event === 'ai_command';
}
