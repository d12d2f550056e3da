import { type Folder, filingFolders, type MailListRow, type OpenMailMessage } from '@firmdesk/contract';
import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { client, trpc } from '../../api.ts';
import type { ListPage } from '../../paged-query.ts';
import { announce } from '../../shell/announcer.tsx';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';
import { offerUndo, type UndoResult, withdrawUndo } from '../../shell/undo.ts';
import { savedDraft } from '../drafts/stored-drafts.ts';
import { folderLabels } from '../folders.ts';

type FilingFolder = (typeof filingFolders)[number];

/** Returns whether messages can be moved to a folder. Only a restore returns messages to drafts or sent. */
const isFilingFolder = (folder: Folder): folder is FilingFolder =>
  (filingFolders as readonly Folder[]).includes(folder);

/** Counts the moves, so that each has an undo of its own. */
let moves = 0;

type Lists = InfiniteData<ListPage<MailListRow>, string | null>;

/** Moves, restores and marks messages. Updates optimistically and rolls back on failure. */
export function useMessageChanges() {
  const queries = useQueryClient();
  const lists = trpc.mail.list.pathFilter();

  const changeRows = (change: (rows: MailListRow[]) => MailListRow[]) => {
    queries.setQueriesData<Lists>(
      lists,
      (list) => list && { ...list, pages: list.pages.map((page) => ({ ...page, data: change(page.data) })) },
    );
  };
  const snapshot = async () => {
    await queries.cancelQueries(lists);
    return queries.getQueriesData<Lists>(lists);
  };
  const rollBack = (before: Awaited<ReturnType<typeof snapshot>> | undefined) => {
    for (const [key, data] of before ?? []) queries.setQueryData(key, data);
  };
  const refresh = () => queries.invalidateQueries(trpc.mail.pathFilter());
  const removeRows = (isLeaving: (row: MailListRow) => boolean) =>
    changeRows((rows) => rows.filter((row) => !isLeaving(row)));

  const restore = useMutation({
    mutationFn: ({ row, conversation }: { row: MailListRow; conversation: boolean }) =>
      client.mail.restore.mutate({ id: row.id, conversation }),
    async onMutate({ row, conversation }) {
      const before = await snapshot();
      removeRows(({ id, thread_id, folder }) =>
        conversation ? thread_id === row.thread_id && folder === row.folder : id === row.id,
      );
      return before;
    },
    onSuccess({ folder }, { conversation }) {
      const what = conversation ? 'Conversation restored' : 'Restored';
      toast.success(`${what} to ${folderLabels[folder]}`);
    },
    onError(error, _input, before) {
      rollBack(before);
      reportError(error, 'Couldn’t restore the message');
    },
    onSettled: refresh,
  });

  const move = useMutation({
    async mutationFn({ row, to }: { row: MailListRow; to: FilingFolder }) {
      // What was typed last goes along: only drafts can be saved.
      await savedDraft(row.id);
      return client.mail.move.mutate({ ids: [row.id], folder: to });
    },
    async onMutate({ row }) {
      const before = await snapshot();
      removeRows(({ id }) => id === row.id);
      return before;
    },
    onError(error, _input, before) {
      rollBack(before);
      reportError(error, 'Couldn’t move the message');
    },
    onSettled: refresh,
  });

  /** Moves a message, and offers to undo it at once: until the move is saved, `z` would undo an earlier action. */
  function moveUndoably({ row, to }: { row: MailListRow; to: FilingFolder }) {
    const of = `mail move ${++moves}`;
    const moved = move.mutateAsync({ row, to }).then(
      () => true,
      () => {
        withdrawUndo(of);
        return false;
      },
    );
    const undo = async () => ((await moved) ? moveBack(row, to) : 'failed');
    offerUndo(`Moved to ${folderLabels[to]}`, undo, { of });
  }

  async function moveBack(row: MailListRow, movedTo: FilingFolder): Promise<UndoResult> {
    const moved = { ...row, folder: movedTo };
    try {
      if (isFilingFolder(row.folder)) await move.mutateAsync({ row: moved, to: row.folder });
      else await restore.mutateAsync({ row: moved, conversation: false });
      return 'undone';
    } catch {
      // The mutation has told the user.
      return 'failed';
    }
  }

  const mark = useMutation({
    mutationFn: ({ row, is_read }: { row: MailListRow; is_read: boolean }) =>
      client.mail.mark.mutate({ ids: [row.id], is_read }),
    async onMutate({ row, is_read }) {
      const before = await snapshot();
      changeRows((rows) => rows.map((each) => (each.id === row.id ? { ...each, is_read } : each)));
      queries.setQueryData(
        trpc.mail.get.queryKey({ id: row.id }),
        (message: OpenMailMessage | undefined) => message && { ...message, is_read },
      );
      return before;
    },
    onSuccess: (_answer, { is_read }) => is_read || announce('Marked as unread'),
    onError(error, _input, before) {
      rollBack(before);
      reportError(error, 'Couldn’t mark the message');
    },
    onSettled: refresh,
  });

  return { move: moveUndoably, restore: restore.mutate, mark: mark.mutate };
}
