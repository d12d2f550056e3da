import { Outlet, useParams } from '@tanstack/react-router';
import { Inbox as InboxIcon } from 'lucide-react';
import { Suspense, useEffect } from 'react';
import { Keys } from '../keyboard/keys.tsx';
import { useAccount, usePermission } from '../session/account.ts';
import { firm } from '../session/firm.ts';
import { InSideBar } from '../shell/side-bar.tsx';
import { followDrafts } from '../tickets/composer/draft-sync.ts';
import { useFollowedPresence } from '../tickets/presence.ts';
import { classNames } from '../ui/class-names.ts';
import { Page, usePageTitle } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';
import { ListHeader } from './list/list-header.tsx';
import { FirstSteps, TicketListPane } from './list/ticket-list-pane.tsx';
import { TICKET_PANE_ID } from './list/ticket-rows.tsx';
import { useLiveInbox } from './list/use-live-inbox.ts';
import { useInboxSearch } from './search/use-inbox-search.ts';
import { useIsSideBySide } from './side-by-side.ts';
import { rememberView } from './views/last-view.ts';
import { followSavedViews, moveStoredViews } from './views/saved-views.ts';
import { useHasNoTickets, useView } from './views/use-view.ts';
import { ViewsList } from './views/views-list.tsx';

/** The ticket list and the open ticket side by side; on a narrow screen only one of them. */
export function InboxPage() {
  if (usePermission('view_tickets')) return <Inbox />;
  return (
    <Page title="Tickets">
      <EmptyState title="You don’t have access to tickets">
        Ask an administrator of your firm for the permission to view tickets.
      </EmptyState>
    </Page>
  );
}

function Inbox() {
  useLiveInbox();
  useFollowedPresence();
  useEffect(() => void moveStoredViews(), []);
  useEffect(followSavedViews, []);
  const { id: userId } = useAccount().user;
  useEffect(() => followDrafts(userId), [userId]);
  useRememberedView();
  const { ticket: openId } = useParams({ strict: false });
  return (
    <div className="relative flex h-full min-h-0">
      <InSideBar>
        <ViewsList />
      </InSideBar>
      {/* On a narrow screen an open ticket covers the list, which stays mounted to keep its position. */}
      <section
        aria-label="List of tickets"
        className={classNames(
          'flex min-h-0 w-full flex-col border-line bg-surface lg:w-92 lg:shrink-0 lg:border-r xl:w-100',
          openId !== undefined && 'max-lg:invisible max-lg:absolute max-lg:inset-0',
        )}
      >
        <ListHeader />
        <TicketListPane openId={openId} />
      </section>
      <section
        id={TICKET_PANE_ID}
        aria-label="Ticket"
        tabIndex={-1}
        className={classNames(
          'toast-place min-h-0 min-w-0 flex-1 outline-none',
          openId === undefined && 'max-lg:hidden',
        )}
      >
        <Outlet />
      </section>
    </div>
  );
}

/** Remembers the view, in which the tickets open the next time. Other searches are for once. */
function useRememberedView(): void {
  const { search } = useInboxSearch();
  const { isNamed } = useView();
  useEffect(() => {
    if (isNamed) rememberView(firm, search);
  }, [isNamed, search]);
}

/** Shown beside the list while no ticket is open. */
export function NoTicket() {
  usePageTitle(useView().name);
  const hasNone = useHasNoTickets();
  const isSideBySide = useIsSideBySide();
  // On a narrow screen the list shows them.
  if (hasNone && isSideBySide)
    return (
      <div className="flex h-full flex-col overflow-y-auto">
        <Suspense>
          <FirstSteps />
        </Suspense>
      </div>
    );
  return (
    <div className="flex h-full flex-col items-center justify-center gap-3 p-8 text-center text-muted">
      <InboxIcon size={28} aria-hidden="true" strokeWidth={1.5} />
      <p>Select a ticket from the list.</p>
      <p className="flex items-center gap-1.5 text-xs">
        <Keys keys="j k" /> to move, <Keys keys="/" /> to search, <Keys keys="?" /> for all shortcuts
      </p>
    </div>
  );
}
