import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bell as BellIcon, Check } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx';
import { useFollowNotifications, useUnread } from './follow-notifications.ts';
import { useMarkRead } from './mark-read.ts';
import { NotificationLink } from './notification-link.tsx';
import { notificationsQuery } from './notifications-query.ts';

const LATEST = 10;

/** The bell in the header: the unread count and, in a popover, the latest notifications. */
export function Bell() {
  const [isOpen, setOpen] = useState(false);
  const unread = useUnread();
  useFollowNotifications();
  const shown = unread !== null && unread > 99 ? '99+' : unread;
  const label = shown ? `Notifications, ${shown} unread` : 'Notifications';
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-label={label}
        title={label}
        className="relative inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
      >
        <BellIcon size={17} aria-hidden="true" />
        {!!shown && (
          <span
            aria-hidden="true"
            className="absolute -top-0.5 -right-1 max-md:top-1 max-md:right-1 min-w-4 rounded-full bg-accent-solid px-1 text-center text-xs leading-4 font-semibold text-on-accent tabular-nums"
          >
            {shown}
          </span>
        )}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label="Notifications"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-40 flex max-h-[min(36rem,var(--radix-popover-content-available-height))] w-[min(26rem,calc(100vw-1rem))] flex-col rounded-xl border border-line bg-raised shadow-2xl outline-none"
        >
          <LatestNotifications unread={unread ?? 0} onClose={() => setOpen(false)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function LatestNotifications({ unread, onClose }: { unread: number; onClose(): void }) {
  const latest = useInfiniteQuery(notificationsQuery({ unread: false, limit: LATEST }));
  const markRead = useMarkRead();
  const notifications = latest.data?.pages[0]?.data ?? [];
  return (
    <>
      <div className="flex min-h-11 items-center justify-between border-b border-line py-1 pr-2 pl-4">
        <h2 className="font-semibold">Notifications</h2>
        {unread > 0 && (
          <Button variant="quiet" onClick={() => markRead.mutate('all')}>
            Mark all as read
          </Button>
        )}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {latest.isPending ? (
          <LoadingRows label="Loading notifications" rows={4} />
        ) : latest.isError ? (
          <ErrorState error={latest.error} onRetry={() => void latest.refetch()} />
        ) : notifications.length === 0 ? (
          <EmptyState title="No notifications">Notifications will appear here.</EmptyState>
        ) : (
          <ul className="divide-y divide-line">
            {notifications.map((notification) => (
              <li key={notification.id} className="flex items-center px-2 hover:bg-hover">
                <NotificationLink
                  notification={notification}
                  onOpen={() => {
                    if (notification.read_at === null) markRead.mutate([notification.id]);
                    onClose();
                  }}
                />
                <span className="flex size-8 shrink-0">
                  {notification.read_at === null && (
                    <IconButton
                      icon={Check}
                      label={`Mark “${notification.title}” as read`}
                      onClick={() => markRead.mutate([notification.id])}
                    />
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className="border-t border-line p-2 text-center">
        <Link
          to="/notifications"
          onClick={onClose}
          className="inline-block rounded-md px-3 py-1.5 font-medium text-accent hover:underline"
        >
          All notifications
        </Link>
      </div>
    </>
  );
}
