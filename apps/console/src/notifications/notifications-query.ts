import type { Notification } from '@firmdesk/contract';
import type { InfiniteData } from '@tanstack/react-query';
import { client, trpc } from '../api.ts';
import { type ListPage, pagedQuery } from '../paged-query.ts';

export type NotificationLists = InfiniteData<ListPage<Notification>, string | null>;

/** The notification centre, newest first: all notifications, or only unread ones. */
export const notificationsQuery = (input: { unread: boolean; limit: number }) =>
  pagedQuery([...trpc.notifications.list.pathKey(), input], (from, options) =>
    client.notifications.list.query({ ...input, ...from }, options),
  );
