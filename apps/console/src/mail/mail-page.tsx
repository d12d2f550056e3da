import type { Mailbox } from '@firmdesk/contract';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { PenLine } from 'lucide-react';
import { useCallback, useMemo, useRef } from 'react';
import { trpc } from '../api.ts';
import { giveUpFocus } from '../keyboard/held-keys.ts';
import { type Shortcut, useShortcuts } from '../keyboard/shortcuts.ts';
import { reportError } from '../shell/report-error.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { usePageTitle } from '../ui/page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx';
import { FolderList } from './folder-list.tsx';
import { folderLabels, folderNamed } from './folders.ts';
import { mailboxesQuery, messagesQuery } from './mail-queries.ts';
import { mailRoute } from './mail-route.ts';
import { MessageList } from './message-list.tsx';
import { OpenMessage } from './open-message.tsx';
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
  const list = useInfiniteQuery(messagesQuery(mailbox.id, folder));
  useLiveMail(mailboxes);
  const newDraft = useNewDraft(mailbox);
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <div className="grid h-full min-h-0 grid-rows-[auto_1fr] md:grid-cols-[11rem_1fr] md:grid-rows-1 lg:grid-cols-[11rem_22rem_1fr]">
      <div
        className={classNames(
          'flex min-h-0 flex-col gap-3 border-line p-3 max-md:border-b md:border-r',
          search.message && 'max-md:hidden',
        )}
      >
        <h1 className="sr-only">Mail</h1>
        {mailbox.can_write && (
          <Button variant="solid" onClick={newDraft}>
            <PenLine size={15} aria-hidden="true" />
            New draft
          </Button>
        )}
        <FolderList mailbox={mailbox} mailboxes={mailboxes} folder={folder} />
      </div>
      <section
        aria-label={folderLabels[folder]}
        className={classNames(
          'flex min-h-0 min-w-0 flex-col border-line bg-surface lg:border-r',
          search.message && 'max-lg:hidden',
        )}
      >
        <MessageList mailbox={mailbox} folder={folder} list={list} rows={rows} />
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

/** Returns a function that creates and opens an empty draft, and binds it to `c`. */
function useNewDraft(mailbox: Mailbox): () => void {
  const navigate = mailRoute.useNavigate();
  const queries = useQueryClient();
  const { mutate } = useMutation(
    trpc.mail.saveDraft.mutationOptions({
      onSuccess: () => void queries.invalidateQueries(trpc.mail.list.pathFilter()),
      onError(error) {
        giveUpFocus();
        reportError(error, 'Couldn’t create a draft');
      },
    }),
  );
  const isCreating = useRef(false);
  const create = useCallback(() => {
    // A key that is held down or pressed twice creates one draft.
    if (isCreating.current) return;
    isCreating.current = true;
    mutate(
      { address_id: mailbox.id },
      {
        // Not called when the user has left the page meanwhile.
        onSuccess: ({ id, address_id }) =>
          void navigate({ search: { mailbox: address_id, folder: 'drafts', message: id } }),
        onSettled() {
          isCreating.current = false;
        },
      },
    );
  }, [mutate, mailbox.id, navigate]);
  const shortcuts = useMemo<Shortcut[]>(
    () => [{ keys: 'c', label: 'New draft', group: 'Mail', movesFocus: true, run: create }],
    [create],
  );
  useShortcuts(shortcuts, mailbox.can_write);
  return create;
}
