import { type Folder, filingFolders, type MailListRow, type OpenMailMessage } from '@firmdesk/contract';
import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { client, trpc } from '../api.ts';
import type { ListPage } from '../paged-query.ts';
import { announce } from '../shell/announcer.tsx';
import { reportError } from '../shell/report-error.ts';
import { folderLabels } from './folders.ts';

type FilingFolder = (typeof filingFolders)[number];

/** Whether a message can be moved to that folder; drafts and sent mail are only restored to theirs. */
const isFilingFolder = (folder: Folder): folder is FilingFolder =>
  (filingFolders as readonly Folder[]).includes(folder);

type Lists = InfiniteData<ListPage<MailListRow>, string | null>;

/** Moving, restoring and marking messages: shown at once, and undone when it is refused. */
export function useFiling() {
  const queries = useQueryClient();
  const lists = trpc.mail.list.pathFilter();

  const changeRows = (change: (rows: MailListRow[]) => MailListRow[]) => {
    queries.setQueriesData<Lists>(
      lists,
      (list) => list && { ...list, pages: list.pages.map((page) => ({ ...page, data: change(page.data) })) },
    );
  };
  const hold = async () => {
    await queries.cancelQueries(lists);
    return queries.getQueriesData<Lists>(lists);
  };
  const putBack = (before: Awaited<ReturnType<typeof hold>> | undefined) => {
    for (const [key, data] of before ?? []) queries.setQueryData(key, data);
  };
  const refresh = () => queries.invalidateQueries(trpc.mail.pathFilter());
  const takeOut = (isLeaving: (row: MailListRow) => boolean) =>
    changeRows((rows) => rows.filter((row) => !isLeaving(row)));

  const restore = useMutation({
    mutationFn: ({ row, conversation }: { row: MailListRow; conversation: boolean }) =>
      client.mail.restore.mutate({ id: row.id, conversation }),
    async onMutate({ row, conversation }) {
      const before = await hold();
      takeOut(({ id, thread_id, folder }) =>
        conversation ? thread_id === row.thread_id && folder === row.folder : id === row.id,
      );
      return before;
    },
    onSuccess({ folder }, { conversation }) {
      const what = conversation ? 'The conversation is restored' : 'Restored';
      toast.success(`${what} to ${folderLabels[folder]}`);
    },
    onError(error, _input, before) {
      putBack(before);
      reportError(error, 'Nothing was restored');
    },
    onSettled: refresh,
  });

  const move = useMutation({
    mutationFn: ({ row, to }: { row: MailListRow; to: FilingFolder }) =>
      client.mail.move.mutate({ ids: [row.id], folder: to }),
    async onMutate({ row }) {
      const before = await hold();
      takeOut(({ id }) => id === row.id);
      return before;
    },
    onSuccess(_answer, { row, to }) {
      toast(`Moved to ${folderLabels[to]}`, { action: { label: 'Undo', onClick: () => undo(row, to) } });
    },
    onError(error, _input, before) {
      putBack(before);
      reportError(error, 'The message was not moved');
    },
    onSettled: refresh,
  });

  function undo(row: MailListRow, movedTo: FilingFolder) {
    const moved = { ...row, folder: movedTo };
    if (isFilingFolder(row.folder)) move.mutate({ row: moved, to: row.folder });
    else restore.mutate({ row: moved, conversation: false });
  }

  const mark = useMutation({
    mutationFn: ({ row, is_read }: { row: MailListRow; is_read: boolean }) =>
      client.mail.mark.mutate({ ids: [row.id], is_read }),
    async onMutate({ row, is_read }) {
      const before = await hold();
      changeRows((rows) => rows.map((each) => (each.id === row.id ? { ...each, is_read } : each)));
      queries.setQueryData(
        trpc.mail.get.queryKey({ id: row.id }),
        (message: OpenMailMessage | undefined) => message && { ...message, is_read },
      );
      return before;
    },
    onSuccess: (_answer, { is_read }) => is_read || announce('Marked as unread'),
    onError(error, _input, before) {
      putBack(before);
      reportError(error, 'The message was not marked');
    },
    onSettled: refresh,
  });

  return { move: move.mutate, restore: restore.mutate, mark: mark.mutate };
}
