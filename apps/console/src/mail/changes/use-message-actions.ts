import type { filingFolders, MailListRow } from '@firmdesk/contract';
import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { trpc } from '../../api.ts';
import type { ListPage } from '../../paged-query.ts';
import { mailRoute } from '../mail-route.ts';
import { useMessageChanges } from './use-message-changes.ts';

/** Moves, restores and marks messages as {@link useMessageChanges} does, and opens the next one when the open message leaves its folder. */
export function useMessageActions() {
  const { message: open } = mailRoute.useSearch();
  const navigate = mailRoute.useNavigate();
  const changes = useMessageChanges();
  const queries = useQueryClient();
  /** Opens the next message of the list in place of one that leaves it; after the last one, none. */
  const close = ({ id }: MailListRow) => {
    if (id !== open) return;
    const next = nextInList(queries, id);
    void navigate({ search: ({ message: _, ...rest }) => (next ? { ...rest, message: next } : rest) });
  };
  return {
    mark: changes.mark,
    move(row: MailListRow, to: (typeof filingFolders)[number]) {
      if (row.folder === to) return;
      changes.move({ row, to });
      close(row);
    },
    restore(row: MailListRow, conversation: boolean) {
      // Without a recorded previous folder, a restore would keep the message in the archive.
      if (row.folder === 'archive' && row.previous_folder === null) changes.move({ row, to: 'inbox' });
      else changes.restore({ row, conversation });
      close(row);
    },
  };
}

/** Returns the id of the message below another one in the list that shows it. */
function nextInList(queries: QueryClient, id: string): string | undefined {
  const lists = queries.getQueriesData<InfiniteData<ListPage<MailListRow>>>({
    ...trpc.mail.list.pathFilter(),
    type: 'active',
  });
  for (const [, list] of lists) {
    const rows = list?.pages.flatMap(({ data }) => data) ?? [];
    const at = rows.findIndex((row) => row.id === id);
    if (at >= 0) return rows[at + 1]?.id;
  }
  return undefined;
}
