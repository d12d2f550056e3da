import type { MailThreadRow } from '@firmdesk/contract';
import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { trpc } from '../../api.ts';
import type { ListPage } from '../../paged-query.ts';
import { mailRoute } from '../mail-route.ts';
import type { MailRow } from '../mail-row.ts';
import { type FilingFolder, type MailTag, useMailChanges } from './use-mail-changes.ts';

/** Changes conversations as {@link useMailChanges} does, and opens the next one when the open one leaves its list. */
export function useMailActions() {
  const { message: open } = mailRoute.useSearch();
  const navigate = mailRoute.useNavigate();
  const changes = useMailChanges();
  const queries = useQueryClient();
  /** Opens the next conversation of the list in place of one that leaves it; after the last one, none. */
  const leave = ({ message, threadId }: MailRow) => {
    const isOpen = open !== undefined && (message.id === open || threadOf(queries, open) === threadId);
    if (!isOpen) return;
    const next = nextInList(queries, threadId);
    void navigate({ search: ({ message: _, ...rest }) => (next ? { ...rest, message: next } : rest) });
  };
  return {
    markRead: ({ threadId }: MailRow, is_read: boolean) =>
      changes.mark({ threads: [threadId], change: { is_read } }),
    star: ({ threadId }: MailRow, is_starred: boolean) =>
      changes.mark({ threads: [threadId], change: { is_starred } }),
    setTag({ threadId }: MailRow, tag: MailTag, isOn: boolean) {
      const [add, remove] = [{ add_tags: [tag] }, { remove_tags: [tag] }];
      const name = isOn ? `Tag “${tag.name}” added` : `Tag “${tag.name}” removed`;
      changes.markUndoably(name, [threadId], isOn ? add : remove, isOn ? remove : add);
    },
    snooze(row: MailRow, until: Date | null, back: string | null) {
      leave(row);
      changes.snooze([row.threadId], until?.toISOString() ?? null, back);
    },
    /** Moves a conversation. */
    move(row: MailRow, to: FilingFolder) {
      if (row.message.folder === to) return;
      leave(row);
      changes.move({ threads: [row.threadId] }, row.message.folder, to);
    },
    /** Moves a single message, and opens another one of its conversation in its place. */
    moveMessage(row: MailRow, to: FilingFolder, returnTo: string | null) {
      const { id, folder } = row.message;
      if (returnTo) void navigate({ search: (before) => ({ ...before, message: returnTo }) });
      else leave(row);
      changes.move({ messages: [{ id, folder }] }, folder, to);
    },
    /** Returns the messages of a conversation to the folders that they came from. */
    restore(row: MailRow) {
      leave(row);
      if (row.message.folder === 'archive') changes.move({ threads: [row.threadId] }, 'archive', 'inbox');
      else changes.restore(row.message.id);
    },
  };
}

/** Returns the conversation of a message that is open. */
function threadOf(queries: QueryClient, id: string): number | undefined {
  return queries.getQueryData(trpc.mail.threads.get.queryKey({ id }))?.id;
}

/** Returns what opens the conversation below another one in the list that shows it. */
function nextInList(queries: QueryClient, thread: number): string | undefined {
  const lists = queries.getQueriesData<InfiniteData<ListPage<MailThreadRow>>>({
    ...trpc.mail.threads.list.pathFilter(),
    type: 'active',
  });
  for (const [, list] of lists) {
    const rows = list?.pages.flatMap(({ data }) => data) ?? [];
    const at = rows.findIndex(({ id }) => id === thread);
    if (at >= 0) return rows[at + 1]?.message.id;
  }
  return undefined;
}
