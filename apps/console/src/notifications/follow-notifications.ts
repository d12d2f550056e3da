import type { Notification } from '@firmdesk/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useSubscription } from '@trpc/tanstack-react-query';
import { useEffect, useEffectEvent } from 'react';
import { trpc } from '../api.ts';
import { useAccount } from '../session/account.ts';
import { announce } from '../shell/announcer.tsx';
import { toast } from '../shell/toast.ts';
import { setTabCount } from '../ui/page-title.ts';
import { whenIdle } from '../when-idle.ts';
import { followClicks } from './follow-clicks.ts';
import { useMarkRead } from './mark-read.ts';
import { pageOfNotification } from './notification-page.ts';
import { useIsOn } from './settings.ts';
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
  const { user } = useAccount();

  const isOn = useIsOn();
  const unread = useUnread();
  useEffect(() => {
    setTabCount(unread ?? 0);
    return () => setTabCount(0);
  }, [unread]);

  useEffect(shareVisibility, []);
  useEffect(() => {
    whenIdle(() => void import('./browser-push.ts').then(({ keepSubscribed }) => keepSubscribed(user.id)));
  }, [user.id]);

  const openPage = (id: string | null, page: string) => {
    if (id !== null) markRead.mutate([id]);
    history.push(page);
  };
  const openClicked = useEffectEvent(openPage);
  useEffect(() => followClicks((id, page) => openClicked(id, page)), []);

  const show = (notification: Notification) => {
    const { id, kind, reason, title, body, action_url } = notification;
    const open = () => openPage(id, pageOfNotification(action_url));
    const channels = { desktop: isOn(reason ?? kind, 'desktop'), sound: isOn(reason ?? kind, 'sound') };
    void import('./desktop.ts').then(({ alertOnce }) => alertOnce(notification, channels, open));
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
          if (event.type === 'settings')
            return void queries.invalidateQueries(trpc.notifications.settings.pathFilter());
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
