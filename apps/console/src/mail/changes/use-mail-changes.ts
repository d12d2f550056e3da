import {
  type Folder,
  filingFolders,
  MAX_MESSAGES_PER_CALL,
  type MailThreadRow,
  type MailThreadsMoved,
  type OpenMailThread,
} from '@firmdesk/contract';
import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { client, trpc } from '../../api.ts';
import type { ListPage } from '../../paged-query.ts';
import { announce } from '../../shell/announcer.tsx';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';
import { offerUndo, type UndoResult, withdrawUndo } from '../../shell/undo.ts';
import { savedDrafts } from '../drafts/stored-drafts.ts';
import { folderLabels } from '../folders.ts';

export type FilingFolder = (typeof filingFolders)[number];
export type MailTag = MailThreadRow['tags'][number];
type Moved = MailThreadsMoved['moved'];

/** What is moved: conversations, or single messages. */
export type MovedMail = { threads: readonly number[] } | { messages: Moved };

/** A change of the marks of conversations. `add_tags` and `remove_tags` are shown at once. */
export interface MarkChange {
  is_read?: boolean;
  is_starred?: boolean;
  add_tags?: readonly MailTag[];
  remove_tags?: readonly MailTag[];
}

/** Returns whether messages can be moved to a folder. Only a restore returns messages to drafts or sent. */
const isFilingFolder = (folder: Folder): folder is FilingFolder =>
  (filingFolders as readonly Folder[]).includes(folder);

/** Counts the changes, so that each has an undo of its own. */
let changes = 0;

type Lists = InfiniteData<ListPage<MailThreadRow>, string | null>;

/** Changes conversations and messages. Shows the change at once, and takes it back if it fails. */
export function useMailChanges() {
  const queries = useQueryClient();
  const lists = trpc.mail.threads.list.pathFilter();
  const opened = trpc.mail.threads.get.pathFilter();

  const changeRows = (change: (rows: MailThreadRow[]) => MailThreadRow[]) => {
    queries.setQueriesData<Lists>(
      lists,
      (list) => list && { ...list, pages: list.pages.map((page) => ({ ...page, data: change(page.data) })) },
    );
  };
  const snapshot = async () => {
    await Promise.all([queries.cancelQueries(lists), queries.cancelQueries(opened)]);
    return [...queries.getQueriesData(lists), ...queries.getQueriesData(opened)];
  };
  const rollBack = (before: Awaited<ReturnType<typeof snapshot>> | undefined) => {
    for (const [key, data] of before ?? []) queries.setQueryData(key, data);
  };
  const refresh = () => queries.invalidateQueries(trpc.mail.pathFilter());
  const removeRows = (isLeaving: (row: MailThreadRow) => boolean) =>
    changeRows((rows) => rows.filter((row) => !isLeaving(row)));

  const move = useMutation({
    async mutationFn({ what, from, to }: { what: MovedMail; from: Folder; to: FilingFolder }) {
      // What was typed last goes along: only drafts can be saved.
      await savedDrafts();
      if ('messages' in what) {
        await client.mail.move.mutate({ ids: what.messages.map(({ id }) => id), folder: to });
        return what.messages;
      }
      const beside = from === 'spam' || from === 'trash' ? { from } : {};
      return (await client.mail.threads.move.mutate({ threads: [...what.threads], to, ...beside })).moved;
    },
    async onMutate({ what }) {
      const before = await snapshot();
      if ('threads' in what) removeRows(({ id }) => what.threads.includes(id));
      else removeRows(({ message }) => what.messages.some(({ id }) => id === message.id));
      return before;
    },
    onError(error, _input, before) {
      rollBack(before);
      reportError(error, 'Couldn’t move the message');
    },
    onSettled: refresh,
  });

  /** Returns moved messages to the folders that they came from. */
  const moveBack = useMutation({
    mutationFn: returnMessages,
    onError: (error) => reportError(error, 'Couldn’t move the message back'),
    onSettled: refresh,
  });

  /** Offers to undo a change at once: until it is saved, `z` would undo an earlier one. */
  function undoable<Done>(name: string, change: Promise<Done>, back: (done: Done) => Promise<unknown>) {
    const of = `mail change ${++changes}`;
    const saved = change.then(
      (done) => ({ done }),
      () => {
        withdrawUndo(of);
        return null;
      },
    );
    const undo = async (): Promise<UndoResult> => {
      const result = await saved;
      // The mutations have told the user.
      if (result === null) return 'failed';
      return back(result.done).then(
        () => 'undone' as const,
        () => 'failed' as const,
      );
    };
    offerUndo(name, undo, { of });
  }

  const restore = useMutation({
    mutationFn: (id: string) => client.mail.restore.mutate({ id, conversation: true }),
    onSuccess: ({ folder }) => void toast.success(`Restored to ${folderLabels[folder]}`),
    onError: (error) => reportError(error, 'Couldn’t restore the message'),
    onSettled: refresh,
  });

  const mark = useMutation({
    mutationFn: ({ threads, change }: { threads: readonly number[]; change: MarkChange }) =>
      client.mail.threads.mark.mutate({
        ...change,
        threads: [...threads],
        add_tags: (change.add_tags ?? []).map(({ id }) => id),
        remove_tags: (change.remove_tags ?? []).map(({ id }) => id),
      }),
    async onMutate({ threads, change }) {
      const before = await snapshot();
      changeRows((rows) => rows.map((row) => (threads.includes(row.id) ? withMarks(row, change) : row)));
      queries.setQueriesData<OpenMailThread>(opened, (open) =>
        open && threads.includes(open.id) ? withMarks(open, change) : open,
      );
      return before;
    },
    onSuccess: (_answer, { change }) => change.is_read === false && announce('Marked as unread'),
    onError(error, _input, before) {
      rollBack(before);
      reportError(error, 'Couldn’t change the conversation');
    },
    onSettled: refresh,
  });

  const snooze = useMutation({
    mutationFn: ({ threads, until }: { threads: readonly number[]; until: string | null }) =>
      client.mail.threads.snooze.mutate({ threads: [...threads], until }),
    async onMutate({ threads }) {
      const before = await snapshot();
      removeRows(({ id }) => threads.includes(id));
      return before;
    },
    onError(error, _input, before) {
      rollBack(before);
      reportError(error, 'Couldn’t snooze the conversation');
    },
    onSettled: refresh,
  });

  return {
    move: (what: MovedMail, from: Folder, to: FilingFolder) =>
      undoable(`Moved to ${folderLabels[to]}`, move.mutateAsync({ what, from, to }), moveBack.mutateAsync),
    restore: restore.mutate,
    mark: mark.mutate,
    /** Changes marks; `back` undoes it. */
    markUndoably: (name: string, threads: readonly number[], change: MarkChange, back: MarkChange) =>
      undoable(name, mark.mutateAsync({ threads, change }), () =>
        mark.mutateAsync({ threads, change: back }),
      ),
    /** Snoozes conversations, or ends their snooze; `back` was their time before. */
    snooze: (threads: readonly number[], until: string | null, back: string | null) =>
      undoable(until === null ? 'Back in the inbox' : 'Snoozed', snooze.mutateAsync({ threads, until }), () =>
        snooze.mutateAsync({ threads, until: back }),
      ),
  };
}

/** Returns moved messages to the folders that they came from, some at a time. */
export async function returnMessages(moved: Moved): Promise<void> {
  for (const [folder, messages] of Map.groupBy(moved, (message) => message.folder)) {
    for (let at = 0; at < messages.length; at += MAX_MESSAGES_PER_CALL) {
      const ids = messages.slice(at, at + MAX_MESSAGES_PER_CALL).map(({ id }) => id);
      if (isFilingFolder(folder)) await client.mail.move.mutate({ ids, folder });
      else await client.mail.threads.restoreMessages.mutate({ ids });
    }
  }
}

/** Returns a conversation with changed marks. */
function withMarks<Marked extends MailThreadRow | OpenMailThread>(
  marked: Marked,
  change: MarkChange,
): Marked {
  const { is_read, is_starred, add_tags = [], remove_tags = [] } = change;
  const gone = new Set([...remove_tags, ...add_tags].map(({ id }) => id));
  const tags = [...marked.tags.filter(({ id }) => !gone.has(id)), ...add_tags];
  const changed = { ...marked, tags, ...(is_starred !== undefined && { is_starred }) };
  if (is_read === undefined) return changed;
  if (Array.isArray(changed.messages))
    return is_read
      ? { ...changed, messages: changed.messages.map((message) => ({ ...message, is_read })) }
      : changed;
  return { ...changed, unread: is_read ? 0 : Math.max(1, (changed as MailThreadRow).unread) };
}
