import type { Mailbox } from '@firmdesk/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PenLine } from 'lucide-react';
import { usePermission } from '../session/account.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { usePageTitle } from '../ui/page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx';
import { useNewDraft } from './answers/begin-draft.ts';
import { MarkDialogs } from './changes/mark-dialogs.tsx';
import { folderLabels, viewNamed } from './folders.ts';
import { FolderList } from './list/folder-list.tsx';
import { MessageList } from './list/message-list.tsx';
import { foundQuery, mailboxesQuery, tagsQuery, threadQuery, threadsQuery } from './mail-queries.ts';
import { mailRoute } from './mail-route.ts';
import { rowOfMessage, rowOfOpen, rowOfThread } from './mail-row.ts';
import { OpenMessage } from './message/open-message.tsx';
import { useLiveMail } from './use-live-mail.ts';

/** The mailboxes that the caller can read, with folders, conversations and drafts. */
export function MailPage() {
  const { mailbox: requestedId } = mailRoute.useSearch();
  const mailboxes = useQuery(mailboxesQuery());
  const mailbox = mailboxes.data?.find(({ id }) => id === requestedId) ?? mailboxes.data?.[0];
  const maySetUp = usePermission('manage_settings');
  usePageTitle('Mail');
  if (mailboxes.isPending) return <LoadingRows label="Loading mail" />;
  if (mailboxes.isError && !mailboxes.data) {
    return <ErrorState error={mailboxes.error} onRetry={() => void mailboxes.refetch()} />;
  }
  if (!mailbox) {
    return (
      <>
        <h1 className="sr-only">Mail</h1>
        <EmptyState title="No mailbox yet">
          {maySetUp ? (
            <Link to="/settings/shared-mailboxes" className="text-accent underline">
              Set up a shared mailbox
            </Link>
          ) : (
            'You see the mailboxes of this firm that you were given access to. Ask an administrator for one.'
          )}
        </EmptyState>
      </>
    );
  }
  return <Mail mailbox={mailbox} mailboxes={mailboxes.data ?? []} />;
}

function Mail({ mailbox, mailboxes }: { mailbox: Mailbox; mailboxes: Mailbox[] }) {
  const search = mailRoute.useSearch();
  const { list, listed, rows } = useListedMail(mailbox.id);
  const { openRow, answerable, tagsOf } = useOpenConversation(rows);
  const { data: tags = [] } = useQuery(tagsQuery());
  useLiveMail(mailboxes);
  const newDraft = useNewDraft(mailbox);
  const view = viewNamed(search.folder);
  const { q = '' } = search;
  const title = tags.find(({ id }) => id === search.label)?.name ?? folderLabels[view];
  return (
    <MarkDialogs tagsOf={tagsOf}>
      <div className="relative grid h-full min-h-0 grid-rows-[auto_1fr] md:grid-cols-[11rem_1fr] md:grid-rows-1 lg:grid-cols-[11rem_22rem_1fr]">
        <h1 className="sr-only">Mail</h1>
        <div
          className={classNames(
            'flex min-h-0 flex-col gap-3 overflow-y-auto border-line p-3 max-md:border-b md:border-r',
            search.message && 'max-md:hidden',
          )}
        >
          {mailbox.can_write && (
            <Button variant="solid" className="shrink-0" onClick={newDraft}>
              <PenLine size={15} aria-hidden="true" />
              New draft
            </Button>
          )}
          <FolderList mailbox={mailbox} mailboxes={mailboxes} view={view} tag={search.label} tags={tags} />
        </div>
        <section
          aria-label={q ? 'Search results' : title}
          className={classNames(
            'flex min-h-0 min-w-0 flex-col border-line bg-surface lg:border-r',
            search.message && 'max-lg:hidden',
          )}
        >
          <MessageList
            mailbox={mailbox}
            mailboxes={mailboxes}
            view={view}
            title={title}
            q={q}
            listed={listed}
            list={list}
            rows={rows}
            openRow={openRow}
            answerable={answerable}
          />
        </section>
        <div
          className={classNames(
            'toast-place min-h-0 min-w-0 bg-surface max-md:row-span-2',
            !search.message && 'max-lg:hidden',
          )}
        >
          {search.message ? (
            <OpenMessage id={search.message} mailboxes={mailboxes} />
          ) : (
            <EmptyState title="No conversation selected">
              {rows.length > 0 && 'Select one from the list, or use J and K.'}
            </EmptyState>
          )}
        </div>
      </div>
    </MarkDialogs>
  );
}

/** The list of the view that the address names, or the messages that its search finds. */
function useListedMail(address_id: number) {
  const { folder, label: tag, unread, q = '' } = mailRoute.useSearch();
  const listed = {
    address_id,
    view: viewNamed(folder),
    ...(tag !== undefined && { tag }),
    ...(unread && { unread }),
  };
  const threads = useInfiniteQuery({ ...threadsQuery(listed), enabled: q === '' });
  const found = useInfiniteQuery({ ...foundQuery(q), enabled: q !== '' });
  return q
    ? { listed, list: found, rows: found.data?.pages.flatMap(({ data }) => data.map(rowOfMessage)) ?? [] }
    : { listed, list: threads, rows: threads.data?.pages.flatMap(({ data }) => data.map(rowOfThread)) ?? [] };
}

/** The conversation that the address names, for what acts on it. */
function useOpenConversation(rows: ReturnType<typeof useListedMail>['rows']) {
  const { message } = mailRoute.useSearch();
  const { data: open } = useQuery({ ...threadQuery(message ?? ''), enabled: message !== undefined });
  const opened = open?.messages.find(({ id }) => id === message);
  const openRow = open && opened ? rowOfOpen(open, opened) : null;
  const listedRow = rows.find(({ thread, threadId }) => thread && threadId === open?.id);
  return {
    openRow: openRow && { ...openRow, thread: listedRow?.thread ?? null },
    /** A draft is sent, not answered. */
    answerable: open?.messages.findLast(({ folder }) => folder !== 'drafts')?.id,
    tagsOf: (thread: number) =>
      (open?.id === thread ? open : rows.find(({ threadId }) => threadId === thread)?.thread)?.tags ?? [],
  };
}
