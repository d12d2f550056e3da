import type { Notification } from '@firmdesk/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useIsSideBySide } from '../inbox/side-by-side.ts';
import { focusedRow, focusRow } from '../keyboard/rows.ts';
import { type Shortcut, useShortcuts } from '../keyboard/shortcuts.ts';
import { useStoredValue } from '../stored-value.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Switch } from '../ui/fields/switch.tsx';
import { MoreRows } from '../ui/more-rows.tsx';
import { Page } from '../ui/page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx';
import { useUnread } from './follow-notifications.ts';
import { useMarkRead } from './mark-read.ts';
import { NotificationLink } from './notification-link.tsx';
import { pageOfNotification } from './notification-page.ts';
import { NotificationPreview } from './notification-preview.tsx';
import { notificationsQuery } from './notifications-query.ts';
import { useSelection } from './selection.ts';
import { notificationToasts } from './toasts.ts';

const PAGE = 30;

/** The caller's notification centre in this firm, or what a push is about, for which the page was opened. */
export function NotificationsPage() {
  const { open } = useSearch({ from: '/firm/notifications' });
  const { history } = useRouter();
  useEffect(() => {
    if (open !== undefined) history.replace(pageOfNotification(open));
  }, [open, history]);
  return open === undefined ? <NotificationCentre /> : null;
}

function NotificationCentre() {
  const [onlyUnread, setOnlyUnread] = useState(false);
  const unread = useUnread();
  const markRead = useMarkRead();
  const areToastsOn = useStoredValue(notificationToasts);
  const list = useInfiniteQuery(notificationsQuery({ unread: onlyUnread, limit: PAGE }));
  const notifications = list.data?.pages.flatMap((page) => page.data) ?? [];
  const hasPreview = useIsSideBySide();
  const [shownId, setShownId] = useState<string | null>(null);
  const shown = notifications.find(({ id }) => id === shownId) ?? notifications[0];
  return (
    <Page
      title="Notifications"
      actions={
        <>
          <Link
            to="/account/notifications"
            className="inline-flex min-h-8 items-center rounded-md px-2 text-muted hover:bg-hover hover:text-text pointer-coarse:min-h-11"
          >
            Settings
          </Link>
          <Button disabled={!unread} onClick={() => markRead.mutate('all')}>
            Mark all as read{unread ? ` (${unread})` : ''}
          </Button>
        </>
      }
    >
      <div className="flex h-full min-h-0">
        <div className="mx-auto w-full max-w-3xl p-4 lg:w-104 lg:shrink-0 lg:overflow-y-auto lg:border-r lg:border-line">
          <div className="mb-4 grid gap-3 rounded-lg border border-line bg-surface p-4 sm:grid-cols-2 sm:gap-8">
            <Switch label="Only unread" isOn={onlyUnread} onChange={setOnlyUnread} />
            <Switch
              label="Show pop-ups"
              isOn={areToastsOn}
              onChange={(isOn) => notificationToasts.set(isOn)}
            />
          </div>
          {list.isPending ? (
            <LoadingRows label="Loading notifications" />
          ) : list.isError && !list.data ? (
            <ErrorState error={list.error} onRetry={() => void list.refetch()} />
          ) : notifications.length === 0 ? (
            <EmptyState title={onlyUnread ? 'All read' : 'No notifications'}>
              {onlyUnread ? 'You have no unread notifications.' : 'Notifications will appear here.'}
            </EmptyState>
          ) : (
            <Notifications
              notifications={notifications}
              shown={hasPreview ? (shown?.id ?? null) : null}
              onShow={setShownId}
              onRead={(ids) => markRead.mutate(ids)}
            />
          )}
          <MoreRows query={list} />
        </div>
        {hasPreview && shown && (
          <NotificationPreview
            key={shown.id}
            notification={shown}
            onOpen={() => shown.read_at === null && markRead.mutate([shown.id])}
          />
        )}
      </div>
    </Page>
  );
}

function Notifications({
  notifications,
  shown,
  onShow,
  onRead,
}: {
  notifications: Notification[];
  /** The one that is previewed. */
  shown: string | null;
  onShow(id: string): void;
  onRead(ids: readonly string[]): void;
}) {
  const list = useRef<HTMLUListElement>(null);
  const selection = useSelection(notifications.map(({ id }) => id));
  const { selected, toggle, clear } = selection;

  const shortcuts = useMemo<Shortcut[]>(() => {
    const group = 'Notifications';
    const withFocused = (run: (id: string) => void) => () => {
      const id = focusedRow(list.current);
      if (id) run(id);
    };
    const read = () => {
      const focused = focusedRow(list.current);
      const ids = selected.length > 0 ? selected : focused ? [focused] : [];
      if (ids.length > 0) onRead(ids);
      clear();
    };
    return [
      { keys: 'j', label: 'Next', group, run: () => focusRow(list.current, 1) },
      { keys: 'k', label: 'Previous', group, run: () => focusRow(list.current, -1) },
      { keys: 'x', label: 'Select', group, run: withFocused((id) => toggle(id, false)) },
      { keys: 'X', label: 'Select range', group, run: withFocused((id) => toggle(id, true)) },
      { keys: 'e', label: 'Mark as read', group, run: read },
      { keys: 'Escape', label: 'Clear selection', group, run: clear },
    ];
  }, [selected, toggle, clear, onRead]);
  useShortcuts(shortcuts);

  const markSelected = () => {
    onRead(selected);
    clear();
  };

  return (
    <section aria-label="Notifications" className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className="flex min-h-11 items-center gap-3 border-b border-line px-4">
        <label className="flex min-h-6 items-center gap-2 text-muted">
          <input
            type="checkbox"
            className="size-4 accent-accent-solid"
            checked={selected.length === notifications.length}
            onChange={selection.toggleAll}
          />
          {selected.length === 0 ? 'Select all shown' : `${selected.length} selected`}
        </label>
        {selected.length > 0 && <Button onClick={markSelected}>Mark as read</Button>}
      </div>
      <ul ref={list} className="divide-y divide-line">
        {notifications.map((notification) => (
          <li
            key={notification.id}
            onFocus={() => onShow(notification.id)}
            className={classNames(
              'flex items-center gap-1 px-4 hover:bg-hover has-checked:bg-selected',
              notification.id === shown && 'bg-hover outline-2 -outline-offset-2 outline-accent',
            )}
          >
            <label className="-m-1 flex p-1">
              <input
                type="checkbox"
                className="size-4 accent-accent-solid"
                aria-label={`Select “${notification.title}”`}
                checked={selection.has(notification.id)}
                onChange={(event) => toggle(notification.id, (event.nativeEvent as MouseEvent).shiftKey)}
              />
            </label>
            <NotificationLink
              notification={notification}
              onOpen={() => notification.read_at === null && onRead([notification.id])}
            />
            <span className="flex size-8 shrink-0">
              {notification.read_at === null && (
                <IconButton
                  icon={Check}
                  label={`Mark “${notification.title}” as read`}
                  onClick={() => onRead([notification.id])}
                />
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
