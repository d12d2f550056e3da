import type { Notification } from '@firmdesk/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useSubscription } from '@trpc/tanstack-react-query';
import { toast } from 'sonner';
import { trpc } from '../api.ts';
import { pathInFirm } from '../session/firm.ts';
import { announce } from '../shell/announcer.tsx';
import { useMarkRead } from './mark-read.ts';
import { notificationToasts } from './toasts.ts';

/** How many notifications are unread, whichever session or tab reads them; null until it is known. */
export function useUnread(): number | null {
  return useQuery(trpc.notifications.unread.queryOptions()).data?.unread ?? null;
}

/** Follows the notification centre: keeps what is shown of it true, and tells of what is new. Once on the page. */
export function useFollowNotifications(): void {
  const queries = useQueryClient();
  const { history } = useRouter();
  const markRead = useMarkRead();

  const tell = ({ id, title, body, action_url }: Notification) => {
    // A toast is spoken by itself.
    if (!notificationToasts.get()) return announce(`New notification: ${title}`);
    toast(title, {
      id,
      description: body,
      action: {
        label: 'Open',
        onClick() {
          markRead.mutate([id]);
          history.push(pathInFirm(action_url));
        },
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
          if (event.type === 'notification.created') tell(event.notification);
          if (event.type !== 'unread') {
            void queries.invalidateQueries(trpc.notifications.pathFilter());
            return;
          }
          // Read somewhere else: what is shown here is no longer so.
          const before = queries.getQueryData(key)?.unread;
          if (before !== undefined && before !== event.unread) void queries.invalidateQueries(lists);
          queries.setQueryData(key, { object: 'unread_count', unread: event.unread });
        },
      },
    ),
  );
}
