import type { Mailbox } from '@firmdesk/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { PenLine } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { usePageTitle } from '../ui/page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx';
import { useNewDraft } from './answers/begin-draft.ts';
import { folderLabels, folderNamed } from './folders.ts';
import { FolderList } from './list/folder-list.tsx';
import { MessageList } from './list/message-list.tsx';
import { foundQuery, mailboxesQuery, messagesQuery } from './mail-queries.ts';
import { mailRoute } from './mail-route.ts';
import { OpenMessage } from './message/open-message.tsx';
import { useLiveMail } from './use-live-mail.ts';

/** The mailboxes that the caller can read, with folders, messages and drafts. */
export function MailPage() {
  const { mailbox: requestedId } = mailRoute.useSearch();
  const mailboxes = useQuery(mailboxesQuery());
  const mailbox = mailboxes.data?.find(({ id }) => id === requestedId) ?? mailboxes.data?.[0];
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
          You see the mailboxes of this firm that you were given access to. Ask an administrator for one.
        </EmptyState>
      </>
    );
  }
  return <Mail mailbox={mailbox} mailboxes={mailboxes.data ?? []} />;
}

function Mail({ mailbox, mailboxes }: { mailbox: Mailbox; mailboxes: Mailbox[] }) {
  const search = mailRoute.useSearch();
  const folder = folderNamed(search.folder);
  const { q = '' } = search;
  const list = useInfiniteQuery(q ? foundQuery(q) : messagesQuery(mailbox.id, folder));
  useLiveMail(mailboxes);
  const newDraft = useNewDraft(mailbox);
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <div className="relative grid h-full min-h-0 grid-rows-[auto_1fr] md:grid-cols-[11rem_1fr] md:grid-rows-1 lg:grid-cols-[11rem_22rem_1fr]">
      <h1 className="sr-only">Mail</h1>
      <div
        className={classNames(
          'flex min-h-0 flex-col gap-3 border-line p-3 max-md:border-b md:border-r',
          search.message && 'max-md:hidden',
        )}
      >
        {mailbox.can_write && (
          <Button variant="solid" onClick={newDraft}>
            <PenLine size={15} aria-hidden="true" />
            New draft
          </Button>
        )}
        <FolderList mailbox={mailbox} mailboxes={mailboxes} folder={folder} />
      </div>
      <section
        aria-label={q ? 'Search results' : folderLabels[folder]}
        className={classNames(
          'flex min-h-0 min-w-0 flex-col border-line bg-surface lg:border-r',
          search.message && 'max-lg:hidden',
        )}
      >
        <MessageList mailbox={mailbox} mailboxes={mailboxes} folder={folder} q={q} list={list} rows={rows} />
      </section>
      <div
        className={classNames(
          'min-h-0 min-w-0 bg-surface max-md:row-span-2',
          !search.message && 'max-lg:hidden',
        )}
      >
        {search.message ? (
          <OpenMessage key={search.message} id={search.message} mailboxes={mailboxes} />
        ) : (
          <EmptyState title="No message selected">
            {rows.length > 0 && 'Select one from the list, or use J and K.'}
          </EmptyState>
        )}
      </div>
    </div>
  );
}
