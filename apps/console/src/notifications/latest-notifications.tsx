import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { Button, IconButton } from '../ui/button.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx';
import { useMarkRead } from './mark-read.ts';
import { NotificationLink } from './notification-link.tsx';
import { notificationsQuery } from './notifications-query.ts';

const LATEST = 10;

/** What the popover of the bell shows. */
export function LatestNotifications({ unread, onClose }: { unread: number; onClose(): void }) {
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
