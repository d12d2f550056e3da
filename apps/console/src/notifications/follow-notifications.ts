import type { Notification } from '@firmdesk/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useSubscription } from '@trpc/tanstack-react-query';
import { useEffect, useEffectEvent } from 'react';
import { trpc } from '../api.ts';
import { announce } from '../shell/announcer.tsx';
import { toast } from '../shell/toast.ts';
import { setTabCount } from '../ui/page-title.ts';
import { followClicks } from './follow-clicks.ts';
import { useMarkRead } from './mark-read.ts';
import { useIsMuted } from './mutes.ts';
import { pageOfNotification } from './notification-page.ts';
import { shareVisibility } from './tabs.ts';
import { notificationToasts } from './toasts.ts';

/** Returns the number of unread notifications, or null until it is loaded. Follows reads in other sessions and tabs. */
export function useUnread(): number | null {
  return useQuery(trpc.notifications.unread.queryOptions()).data?.unread ?? null;
}

/** Subscribes to the notification centre: updates the queries and announces new notifications. Used once per page. */
export function useFollowNotifications(): void {
  const queries = useQueryClient();
  const { history } = useRouter();
  const markRead = useMarkRead();

  const isMuted = useIsMuted();
  const unread = useUnread();
  useEffect(() => {
    setTabCount(unread ?? 0);
    return () => setTabCount(0);
  }, [unread]);

  useEffect(shareVisibility, []);

  const openPage = (id: string, page: string) => {
    markRead.mutate([id]);
    history.push(page);
  };
  const openClicked = useEffectEvent(openPage);
  useEffect(() => followClicks((id, page) => openClicked(id, page)), []);

  const show = (notification: Notification) => {
    const { id, kind, title, body, action_url } = notification;
    const open = () => openPage(id, pageOfNotification(action_url));
    if (!isMuted(kind)) void import('./desktop.ts').then(({ alertOnce }) => alertOnce(notification, open));
    // Screen readers announce a toast by themselves.
    if (!notificationToasts.get()) return announce(`New notification: ${title}`);
    toast.message(title, {
      id,
      description: body,
      action: {
        label: 'Open',
        onClick: open,
      },
    });
  };

  useSubscription(
    trpc.notifications.live.subscriptionOptions(
      {},
      {
        onData({ data: event }) {
          const lists = trpc.notifications.list.pathFilter();
          const key = trpc.notifications.unread.queryKey();
          if (event.type === 'notification.created') show(event.notification);
          if (event.type !== 'unread') {
            void queries.invalidateQueries(lists);
            void queries.invalidateQueries({ queryKey: key });
            return;
          }
          // Notifications were read in another session: the lists are out of date.
          const before = queries.getQueryData(key)?.unread;
          if (before !== undefined && before !== event.unread) void queries.invalidateQueries(lists);
          queries.setQueryData(key, { object: 'unread_count', unread: event.unread });
        },
      },
    ),
  );
}
