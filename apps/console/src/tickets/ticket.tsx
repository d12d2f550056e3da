import type { TicketMessage, TicketStreamEvent, TicketWithCan } from '@firmdesk/contract';
import { useEffect, useRef, useState } from 'react';
import { useAccount } from '../session/account.ts';
import { announce } from '../shell/announcer.tsx';
import { rememberRecent } from '../shell/recent.ts';
import { useStoredValue } from '../stored-value.ts';
import { ComposerArea } from './composer/composer-area.tsx';
import { draftOf } from './composer/reply-drafts.ts';
import { UnsentReplyDialog } from './composer/unsent-reply-dialog.tsx';
import { useComposer } from './composer/use-composer.ts';
import { Conversation } from './conversation/conversation.tsx';
import { kindOf } from './conversation/message-kind.ts';
import { streamedReplies } from './conversation/streamed-replies.ts';
import { unseenSince, useIsWindowFocused, useSeenThrough } from './conversation/unseen.ts';
import { useAnnouncedReplies } from './conversation/use-announced-replies.ts';
import { useConversation } from './conversation/use-conversation.ts';
import { useScroll } from './conversation/use-scroll.ts';
import { openTicketAfter } from './next-ticket.ts';
import { useAttendance } from './presence.ts';
import { DetailsSheet } from './properties/details-sheet.tsx';
import type { Property } from './properties/property-menus.tsx';
import { TicketDetails } from './properties/ticket-details.tsx';
import { useTicketHistory } from './properties/use-ticket-history.ts';
import { useReadyTicket } from './ready-ticket.ts';
import { forgetSent, useDelayedSends } from './sending/delayed-sends.ts';
import { outgoingOf } from './sending/outgoing-messages.ts';
import { isSentFromHere } from './sending/sent-messages.ts';
import { useUnsavedOf } from './sending/unsaved-ticket.ts';
import { TicketHeader } from './ticket-header.tsx';
import { type TicketTool, TicketToolDialog } from './ticket-menu.tsx';
import { useTicketActions } from './use-ticket-actions.ts';
import { useTicketShortcuts } from './use-ticket-shortcuts.ts';

/** An open ticket: conversation, composer, properties and details. */
export function Ticket({ ticket }: { ticket: TicketWithCan }) {
  const { user } = useAccount();
  const actions = useTicketActions(ticket);
  const conversation = useConversation(ticket.id, (event) =>
    announceMessage(event, outgoing.length + delayed.length > 0),
  );
  const { messages } = conversation;
  const unsaved = useUnsavedOf(ticket.id);
  const outgoing = outgoingOf(unsaved, messages);
  const delayed = useDelayedSends(ticket.id).filter(({ id }) =>
    messages.every((message) => message.id !== id),
  );
  useEffect(() => forgetSent(new Set(messages.map(({ id }) => id))), [messages]);
  const since = conversation.isLoading ? undefined : conversation.hasOlder ? messages[0]?.created_at : null;
  const history = useTicketHistory(ticket.id, since);
  const scroll = useScroll(
    `${messages[0]?.id} ${history.entries[0]?.id}`,
    () => conversation.hasOlder && conversation.loadOlder(),
  );
  const seenThrough = useSeenThrough(messages, scroll.isAtEnd);
  const composer = useComposer(user.id, ticket, seenThrough);
  useAttendance(ticket.id, composer.draft.text);
  const [openProperty, setOpenProperty] = useState<Property | null>(null);
  /** `tags`: the sheet begins with them. */
  const [details, setDetails] = useState<'open' | 'tags' | null>(null);
  const [tool, setTool] = useState<TicketTool | null>(null);
  const [ending, setEnding] = useState<'resolved' | 'closed' | null>(null);

  useAnnouncedReplies(messages, useStoredValue(streamedReplies));
  useAutoMarkRead(ticket, messages, scroll.isAtEnd, actions.markRead);

  const endNow = (status: 'resolved' | 'closed') => {
    actions.setStatus(status);
    openTicketAfter(ticket.id);
  };
  const end = (status: 'resolved' | 'closed') => {
    const draft = draftOf(user.id, ticket.id, 'reply').get();
    if (draft && (draft.text !== '' || draft.files.length > 0)) setEnding(status);
    else endNow(status);
  };
  const aside = useRef<HTMLElement>(null);
  const showProperty = (property: Property) => {
    // On a narrow screen the tags are in the sheet.
    if (property === 'tags' && aside.current?.offsetParent === null) setDetails('tags');
    else setOpenProperty(property);
  };
  const tagsMenu = (isShown: boolean) => ({
    isOpen: isShown && openProperty === 'tags',
    onOpenChange: (isOpen: boolean) => setOpenProperty(isOpen ? 'tags' : null),
  });
  useEffect(
    () =>
      rememberRecent(user.id, {
        id: ticket.id,
        name: `${ticket.number} ${ticket.subject}`,
        group: 'Ticket',
        to: `/tickets/${ticket.id}`,
      }),
    [user.id, ticket.id, ticket.number, ticket.subject],
  );
  useTicketShortcuts({ ticket, actions, composer, openProperty: showProperty, openTool: setTool, end });
  useReadyTicket(ticket.id);

  return (
    <div className="@container flex h-full min-h-0 flex-col">
      <TicketHeader
        ticket={ticket}
        actions={actions}
        openProperty={openProperty}
        onOpenProperty={setOpenProperty}
        onEnd={end}
        onShowDetails={() => setDetails('open')}
        onTool={setTool}
        unsaved={unsaved}
      />
      <div className="flex min-h-0 flex-1">
        <div className="flex min-w-0 flex-1 flex-col">
          <Conversation
            ticket={ticket}
            conversation={conversation}
            history={history}
            outgoing={outgoing}
            delayed={delayed}
            scroll={scroll}
            unseen={unseenSince(messages, seenThrough).length}
          />
          <ComposerArea
            ticket={ticket}
            composer={composer}
            conversation={conversation}
            onSend={scroll.scrollToEnd}
            onFollowUp={() => setTool('follow-up')}
          />
        </div>
        <aside
          ref={aside}
          aria-label="Trader and details"
          className="hidden w-68 shrink-0 overflow-y-auto border-l border-line bg-surface md:@2xl:block"
        >
          <TicketDetails ticket={ticket} actions={actions} tagsMenu={tagsMenu(details === null)} />
        </aside>
      </div>
      <DetailsSheet isOpen={details !== null} onClose={() => setDetails(null)}>
        <TicketDetails
          ticket={ticket}
          actions={actions}
          tagsMenu={{ ...tagsMenu(true), isFirst: details === 'tags' }}
        />
      </DetailsSheet>
      <TicketToolDialog
        ticket={ticket}
        tool={tool}
        onSnooze={(until) => {
          actions.snooze(until);
          openTicketAfter(ticket.id);
        }}
        onClose={() => setTool(null)}
      />
      <UnsentReplyDialog
        status={ending}
        onCancel={() => setEnding(null)}
        onEnd={() => {
          if (ending) endNow(ending);
          setEnding(null);
        }}
      />
    </div>
  );
}

/**
 * Marks the ticket as read when its end is visible in a focused window. Tried once for each newest message, so that a ticket marked as
 * unread stays so.
 */
function useAutoMarkRead(
  { unread, last_message_at }: TicketWithCan,
  messages: readonly TicketMessage[],
  isEndInView: boolean,
  markRead: () => void,
): void {
  const isFocused = useIsWindowFocused();
  // A reply that is being written is not read before it is whole.
  const newest = messages.findLast(({ streaming }) => !streaming)?.id;
  const newestVisible = messages.findLast(({ internal, streaming }) => !internal && !streaming)?.created_at;
  const readThrough = useRef<string>(undefined);
  useEffect(() => {
    // The ticket as it is with the newest message has been read.
    if (unread === 0 && newestVisible !== undefined && last_message_at >= newestVisible)
      readThrough.current = newest;
    if (unread === 0 || !isEndInView || !isFocused || !newest || newest === readThrough.current) return;
    if (!navigator.onLine) return;
    readThrough.current = newest;
    markRead();
  }, [unread, last_message_at, isEndInView, isFocused, newest, newestVisible, markRead]);
}

/** Announces a message that was not sent from this page. `useAnnouncedReplies` announces streaming replies. */
function announceMessage(event: TicketStreamEvent, isSending: boolean): void {
  if (event.type !== 'message.created' || event.message.streaming || isSentFromHere(event.message)) return;
  const { author, from, body } = event.message;
  if (from === 'admin' && isSending) return;
  const kind = kindOf(event.message);
  if (kind === 'failure') announce(body);
  else announce(`${kind === 'note' ? 'New internal note' : 'New message'} from ${author}.`);
}
