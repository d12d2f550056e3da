import { MAX_IDS_PER_MARK, type Notification } from '@firmdesk/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, trpc } from '../api.ts';
import { reportError } from '../shell/report-error.ts';
import type { NotificationLists } from './notifications-query.ts';

/** Marks notifications as read: those with the given ids, or all. Updates optimistically and rolls back on failure. */
export function useMarkRead() {
  const queries = useQueryClient();
  const lists = trpc.notifications.list.pathFilter();
  const unread = trpc.notifications.unread.queryKey();

  return useMutation({
    async mutationFn(which: readonly string[] | 'all') {
      if (which === 'all') return client.notifications.markRead.mutate({ all: true });
      let answer = { unread: 0 };
      for (let at = 0; at < which.length; at += MAX_IDS_PER_MARK) {
        answer = await client.notifications.markRead.mutate({ ids: which.slice(at, at + MAX_IDS_PER_MARK) });
      }
      return answer;
    },
    async onMutate(which) {
      await queries.cancelQueries(lists);
      const before = {
        lists: queries.getQueriesData<NotificationLists>(lists),
        unread: queries.getQueryData(unread),
      };
      const now = new Date().toISOString();
      const marked = new Set<string>();
      const read = (one: Notification): Notification => {
        if (one.read_at !== null || (which !== 'all' && !which.includes(one.id))) return one;
        marked.add(one.id);
        return { ...one, read_at: now };
      };
      queries.setQueriesData<NotificationLists>(
        lists,
        (list) =>
          list && { ...list, pages: list.pages.map((page) => ({ ...page, data: page.data.map(read) })) },
      );
      queries.setQueryData(
        unread,
        (count) =>
          count && { ...count, unread: which === 'all' ? 0 : Math.max(0, count.unread - marked.size) },
      );
      return before;
    },
    onSuccess(answer) {
      queries.setQueryData(unread, { object: 'unread_count', unread: answer.unread });
    },
    onError(error, _which, before) {
      for (const [key, data] of before?.lists ?? []) queries.setQueryData(key, data);
      if (before?.unread) queries.setQueryData(unread, before.unread);
      reportError(error, 'Couldn’t mark the notifications as read');
    },
    onSettled: () => queries.invalidateQueries(lists),
  });
}
