import type { Folder, Mailbox, MailListRow } from '@firmdesk/contract';
import { Link } from '@tanstack/react-router';
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { focusedRow, focusRow } from '../../keyboard/rows.ts';
import { type Shortcut, useShortcuts } from '../../keyboard/shortcuts.ts';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { fieldError } from '../../ui/field-errors.ts';
import { MoreRows } from '../../ui/more-rows.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { useAnswerShortcuts } from '../answers/use-answer-shortcuts.ts';
import { useMessageShortcuts } from '../changes/use-message-shortcuts.ts';
import { recipientNames } from '../drafts/recipients.ts';
import { folderLabels } from '../folders.ts';
import { mailRoute } from '../mail-route.ts';
import { MailSearchField } from './mail-search-field.tsx';

/** The messages of a folder, or those that match a search, below the search field. */
export function MessageList({
  mailbox,
  mailboxes,
  folder,
  q,
  rows,
  list,
}: {
  mailbox: Mailbox;
  mailboxes: Mailbox[];
  folder: Folder;
  /** The search; empty for the folder. */
  q: string;
  rows: MailListRow[];
  list: Parameters<typeof MoreRows>[0]['query'] & {
    isPending: boolean;
    isError: boolean;
    data: unknown;
    refetch(): unknown;
  };
}) {
  const { message: open } = mailRoute.useSearch();
  const navigate = mailRoute.useNavigate();
  const element = useRef<HTMLUListElement>(null);
  const shortcuts = useMemo<Shortcut[]>(
    () => [
      { keys: 'j', label: 'Next message', group: 'Mail', run: () => focusRow(element.current, 1) },
      { keys: 'k', label: 'Previous message', group: 'Mail', run: () => focusRow(element.current, -1) },
    ],
    [],
  );
  useShortcuts(shortcuts);
  const search = (next: string) =>
    void navigate({
      search: ({ q: _, message, ...rest }) => ({
        ...rest,
        // Who returns from a search keeps the message that they have found.
        ...(next ? { q: next } : message && { message }),
      }),
    });
  const problem = useProblem(q, list.error);
  useLeaveSearch(q !== '', () => search(''));
  useAnswerShortcuts(mailboxes, () => focusedRow(element.current) ?? open);
  const focus = useKeptFocus(element, rows);
  useMessageShortcuts(() => {
    const id = focusedRow(element.current) ?? open;
    return rows.find((row) => row.id === id) ?? null;
  });

  return (
    <>
      <header className="shrink-0 border-b border-line px-4 py-2">
        <MailSearchField
          q={q}
          problem={problem}
          onSearch={search}
          onFirstMatch={() =>
            rows[0] && void navigate({ search: (before) => ({ ...before, message: rows[0]!.id }) })
          }
          onFocusList={() => focusRow(element.current, 1)}
        />
        <div className="flex items-center justify-between gap-2 pt-2">
          <h2 className="font-semibold">{q ? 'Search results' : folderLabels[folder]}</h2>
          <span className="truncate text-xs text-muted">{q ? 'All mail' : mailbox.email}</span>
        </div>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {problem ? (
          <EmptyState title="Change the search">What is wrong with it is said below its field.</EmptyState>
        ) : list.isPending ? (
          <LoadingRows label={q ? 'Searching' : `Loading ${folderLabels[folder]}`} />
        ) : list.isError && !list.data ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : rows.length === 0 ? (
          <EmptyState title={q ? 'No mail matches' : emptyTitles[folder]}>
            {q &&
              'Search for words and “phrases”, or with from:, to:, subject:, in:, has:attachment, is:unread, before: and after:.'}
          </EmptyState>
        ) : (
          <ul ref={element} {...focus} className="divide-y divide-line">
            {rows.map((row) => (
              <MessageRow
                key={row.id}
                row={row}
                isOpen={row.id === open}
                place={q ? placeOf(row, mailboxes) : null}
              />
            ))}
          </ul>
        )}
        <MoreRows query={list} />
      </div>
    </>
  );
}

/** Returns what the service says is wrong with a search. It stays while the list is loaded again. */
function useProblem(q: string, error: unknown): string | undefined {
  const [refused, setRefused] = useState<{ q: string; problem: string } | null>(null);
  const problem = q === '' ? undefined : fieldError(error, 'q', 'The search');
  if (problem && (refused?.q !== q || refused.problem !== problem)) setRefused({ q, problem });
  return refused?.q === q ? refused.problem : undefined;
}

/** Esc returns from a search to the folder, with the focus where it is. */
function useLeaveSearch(isSearching: boolean, leave: () => void): void {
  const current = useRef(leave);
  current.current = leave;
  const shortcuts = useMemo<Shortcut[]>(
    () => [{ keys: 'Escape', label: 'Leave the search', group: 'Mail', run: () => current.current() }],
    [],
  );
  useShortcuts(shortcuts, isSearching);
}

/** Moves the focus to the next row when the focused one leaves the list: keys would act on the open message otherwise. */
function useKeptFocus(list: RefObject<HTMLElement | null>, rows: readonly MailListRow[]) {
  const focused = useRef<string | null>(null);
  const before = useRef(rows);
  useLayoutEffect(() => {
    const at = before.current.findIndex(({ id }) => id === focused.current);
    before.current = rows;
    const isLost = at >= 0 && document.activeElement === document.body;
    if (!isLost || rows.some(({ id }) => id === focused.current)) return;
    const links = list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [];
    links[Math.min(at, links.length - 1)]?.focus();
  });
  return {
    onFocus() {
      focused.current = focusedRow(list.current);
    },
    // Not called for a row that is removed.
    onBlur() {
      focused.current = null;
    },
  };
}

const emptyTitles: Record<Folder, string> = {
  inbox: 'The inbox is empty',
  drafts: 'No drafts',
  sent: 'No sent messages',
  archive: 'No archived messages',
  spam: 'No spam',
  trash: 'The trash is empty',
};

/** Returns where a found message is: its folder, with its mailbox if the reader has several. */
function placeOf({ folder, address_id }: MailListRow, mailboxes: readonly Mailbox[]): string {
  const mailbox = mailboxes.length > 1 && mailboxes.find(({ id }) => id === address_id);
  return mailbox ? `${folderLabels[folder]}, ${mailbox.name}` : folderLabels[folder];
}

function MessageRow({ row, isOpen, place }: { row: MailListRow; isOpen: boolean; place: string | null }) {
  const isOutgoing = row.folder === 'drafts' || row.folder === 'sent';
  const recipients = recipientNames(row.to_recipients);
  const sentTo = recipients ? `To ${recipients}` : 'No recipients';
  const correspondent = isOutgoing ? sentTo : row.from.name || row.from.email;
  return (
    <li>
      <Link
        to="/mail"
        search={(before) => ({ ...before, message: row.id })}
        data-row={row.id}
        aria-current={isOpen ? 'true' : undefined}
        className={classNames(
          'block px-4 py-2.5 outline-offset-[-2px] hover:bg-hover',
          isOpen && 'bg-selected hover:bg-selected',
        )}
      >
        <span className="flex items-baseline gap-2">
          {!row.is_read && (
            <span className="unread-dot self-center">
              <span className="sr-only">Unread: </span>
            </span>
          )}
          <span className={classNames('min-w-0 flex-1 truncate', !row.is_read && 'font-semibold')}>
            {correspondent}
          </span>
          <Timestamp at={row.message_at} className="shrink-0 text-xs text-muted" />
        </span>
        <span className={classNames('block truncate', !row.is_read && 'font-semibold')}>
          {row.subject || <span className="text-muted">No subject</span>}
        </span>
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate text-muted">{row.snippet || ' '}</span>
          {place && <Badge>{place}</Badge>}
        </span>
      </Link>
    </li>
  );
}
