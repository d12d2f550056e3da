import { lazy, Suspense, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { usePermission } from '../../session/account.ts';
import { announce } from '../../shell/announcer.tsx';
import { useStoredValue } from '../../stored-value.ts';
import { useSupportDirectory } from '../../tickets/properties/use-support-directory.ts';
import { Button } from '../../ui/button.tsx';
import { errorText, reportId } from '../../ui/error-text.ts';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { whenIdle } from '../../when-idle.ts';
import { BulkBar } from '../bulk/bulk-bar.tsx';
import { shownBulkChange } from '../bulk/shown-bulk-change.ts';
import { useStoppedBulkChange } from '../bulk/use-stopped-bulk-change.ts';
import { activeFilters } from '../filters/active-filters.ts';
import { useInboxSearch } from '../search/use-inbox-search.ts';
import { useIsListVisible, useIsSideBySide } from '../side-by-side.ts';
import { useHasNoTickets, useView } from '../views/use-view.ts';
import { useSelection } from './selection.ts';
import { type TicketList, ticketListFor } from './ticket-lists.ts';
import { LIST_ID, TicketRows } from './ticket-rows.tsx';
import { UpdatePill } from './update-pill.tsx';

/** What a new firm does first, beside the list or, on a narrow screen, in it. */
export const FirstSteps = lazy(async () => ({ default: (await import('../first-steps.tsx')).FirstSteps }));

/** The tickets that match the filters in the URL, or why the list is empty. */
export function TicketListPane({ openId }: { openId: string | undefined }) {
  const { search } = useInboxSearch();
  const list = ticketListFor(search);
  const { pages } = list;
  useSyncExternalStore(pages.subscribe, pages.version);
  useAnnouncedSize(list);
  const shown = useLoadedList(list);

  const update = async () => {
    await pages.reload();
    document.getElementById(LIST_ID)?.scrollTo({ top: 0 });
  };
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <Bulk list={list} openId={openId} />
      <UpdatePill pending={pages.pending} onUpdate={() => void update()} />
      {shown.pages.count > 0 ? (
        <div inert={shown !== list} className="flex min-h-0 flex-1 flex-col inert:opacity-60">
          <TicketRows key={shown.key} list={shown} isCurrent={shown === list} openId={openId} />
        </div>
      ) : (
        <NoRows list={list} />
      )}
      {pages.error !== null && pages.count > 0 && (
        <MoreFailed error={pages.error} onRetry={() => pages.retry()} />
      )}
    </div>
  );
}

const loadBulkProgress = () => import('../bulk/bulk-progress.tsx');
const BulkProgress = lazy(async () => ({ default: (await loadBulkProgress()).BulkProgress }));
whenIdle(() => void loadBulkProgress().catch(() => {}));

/**
 * Above the list: the actions on the selected tickets, or else the progress of the latest bulk change. The code of the actions is
 * loaded with the list: until their shortcuts are registered, a key would act on the open ticket instead.
 */
function Bulk({ list, openId }: { list: TicketList; openId: string | undefined }) {
  const selection = useSelection(list.key);
  const isAllowed = usePermission('manage_tickets');
  const stopped = useStoppedBulkChange(isAllowed);
  const shown = useStoredValue(shownBulkChange()) ?? stopped;
  const isVisible = useIsListVisible(openId);
  if (!isAllowed) return null;
  if (selection) return <BulkBar list={list} selection={selection} hasKeys={isVisible} />;
  return (
    shown !== null && (
      <Suspense>
        <BulkProgress key={shown} id={shown} />
      </Suspense>
    )
  );
}

function NoRows({ list: { pages } }: { list: TicketList }) {
  const inbox = useInboxSearch();
  const directory = useSupportDirectory();
  const view = useView();
  const hasNone = useHasNoTickets();
  const isSideBySide = useIsSideBySide();
  const filters = activeFilters(inbox.search, directory);
  const clear = filters.length > 0 && <Button onClick={() => inbox.choose({})}>Clear all filters</Button>;
  if (pages.error !== null) {
    return (
      <div className="flex flex-1 flex-col items-center overflow-y-auto pb-8">
        <ErrorState error={pages.error} onRetry={() => pages.retry()} />
        {clear}
      </div>
    );
  }
  if (!pages.isComplete) return <LoadingRows label="Loading tickets" rows={9} />;
  if (filters.length === 0 || hasNone) {
    return (
      <div className="flex flex-1 flex-col overflow-y-auto">
        <EmptyState title="No tickets yet">Tickets appear here when traders write.</EmptyState>
        {hasNone && !isSideBySide && (
          <Suspense>
            <FirstSteps />
          </Suspense>
        )}
      </div>
    );
  }
  if (view.isNamed) {
    return (
      <EmptyState title={`Nothing in “${view.name}”`}>
        <Button onClick={() => inbox.choose({})}>Show all tickets</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No tickets match">
      <p className="mb-3">{filters.map(({ label }) => label).join(' · ')}</p>
      {clear}
    </EmptyState>
  );
}

/** Shown below the loaded rows when loading more failed. */
function MoreFailed({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const id = reportId(error);
  return (
    <div
      role="alert"
      className="flex items-center gap-3 border-t border-line bg-danger-surface px-3 py-2 text-danger"
    >
      <p className="min-w-0 flex-1">
        {errorText(error)} {id && <code className="text-xs select-all">{id}</code>}
      </p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}

/** Returns the list, or the previous one while the list loads, to avoid a flash of empty content. */
function useLoadedList(list: TicketList): TicketList {
  const [shown, setShown] = useState(list);
  const { count, isComplete, error } = list.pages;
  if (shown !== list && (count > 0 || isComplete || error !== null)) {
    setShown(list);
    return list;
  }
  return shown;
}

/** Announces the number of tickets once a list has loaded. */
function useAnnouncedSize({ key, pages }: TicketList): void {
  const { count, isComplete } = pages;
  const isLoaded = count > 0 || isComplete;
  const announceSize = useEffectEvent(() => {
    if (!isLoaded) return;
    const tickets = count === 1 ? 'ticket' : 'tickets';
    announce(isComplete ? `${count} ${tickets}` : `More than ${count} tickets`);
  });
  useEffect(() => announceSize(), [key, isLoaded]);
}
