import type { Mailbox, MailListRow, MailView } from '@firmdesk/contract';
import { type RefObject, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useHighlights } from '../../inbox/search/highlight-matches.ts';
import { focusedRow, focusRow } from '../../keyboard/rows.ts';
import { type Shortcut, useShortcuts } from '../../keyboard/shortcuts.ts';
import { fieldError } from '../../ui/fields/field-errors.ts';
import { MoreRows } from '../../ui/more-rows.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { useAnswerShortcuts } from '../answers/use-answer-shortcuts.ts';
import { useMarkDialogs } from '../changes/mark-dialogs.tsx';
import { useMailShortcuts } from '../changes/use-mail-shortcuts.ts';
import { folderLabels } from '../folders.ts';
import type { ListedMail } from '../mail-queries.ts';
import { mailRoute } from '../mail-route.ts';
import { keyOf, type MailRow } from '../mail-row.ts';
import { BulkBar } from './bulk-bar.tsx';
import { EmptyTrash } from './empty-trash.tsx';
import { foundTerms } from './found-terms.ts';
import { MailRowLink } from './mail-row-link.tsx';
import { MailSearchField } from './mail-search-field.tsx';
import { type MailSelection, useMailSelection } from './use-mail-selection.ts';

/** The messages of a folder, or those that match a search, below the search field. */
export function MessageList({
  mailbox,
  mailboxes,
  view,
  title,
  q,
  rows,
  openRow,
  answerable,
  listed,
  list,
}: {
  mailbox: Mailbox;
  mailboxes: Mailbox[];
  view: MailView;
  /** The heading of the list. */
  title: string;
  /** What the list shows without a search. */
  listed: ListedMail;
  /** The search; empty for the folder. */
  q: string;
  rows: readonly MailRow[];
  /** The row of the open conversation, also if the list does not have it; null for none. */
  openRow: MailRow | null;
  /** What a reply answers if no row has the focus. */
  answerable: string | undefined;
  list: Parameters<typeof MoreRows>[0]['query'] & {
    isPending: boolean;
    isError: boolean;
    data: unknown;
    refetch(): unknown;
  };
}) {
  const { message: open } = mailRoute.useSearch();
  const openMessage = (message: string) => void navigate({ search: (before) => ({ ...before, message }) });
  const navigate = mailRoute.useNavigate();
  const element = useRef<HTMLUListElement>(null);
  const box = useRef<HTMLDivElement>(null);
  useHighlights(box, rows.length > 0 ? q : '', foundTerms);
  const step = useEffectEvent((by: 1 | -1) => {
    stepRow(element.current, by, rows, openRow);
    const id = focusedRow(element.current);
    // Beside its conversation, the list opens what it goes to, as that of tickets does. Alone, Enter opens it.
    if (id && (open !== undefined || matchMedia(BESIDE).matches)) openMessage(id);
  });
  const shortcuts = useMemo<Shortcut[]>(
    () => [
      { keys: 'j', label: 'Next conversation', group: 'Mail', run: () => step(1) },
      { keys: 'k', label: 'Previous conversation', group: 'Mail', run: () => step(-1) },
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
  const target = () => {
    const focused = focusedRow(element.current);
    return rows.find(({ message }) => message.id === focused) ?? openRow;
  };
  useAnswerShortcuts(mailboxes, () => focusedRow(element.current) ?? answerable ?? open);
  const focus = useKeptFocus(element, rows);
  useMailShortcuts(target, useMarkDialogs());
  const selection = useMailSelection(JSON.stringify([listed, q]));
  // Messages that a search has found are changed one by one.
  const isSelectable = q === '';
  useSelectionShortcuts(selection, target, isSelectable);

  return (
    <>
      <header className="shrink-0 border-b border-line px-4 py-2">
        <MailSearchField
          q={q}
          problem={problem}
          onSearch={search}
          onFirstMatch={() => rows[0] && openMessage(rows[0].message.id)}
          onFocusList={() => focusRow(element.current, 1)}
        />
        <div className="flex items-center justify-between gap-2 pt-2">
          <h2 className="font-semibold">{q ? 'Search results' : title}</h2>
          <span className="truncate text-xs text-muted">{q ? 'All mail' : mailbox.email}</span>
        </div>
        {isSelectable && <BulkBar listed={listed} title={title} selection={selection} />}
        {view === 'trash' && isSelectable && rows.length > 0 && <EmptyTrash mailbox={mailbox} />}
      </header>
      <div ref={box} className="min-h-0 flex-1 overflow-y-auto">
        {problem ? (
          <EmptyState title="Change the search">What is wrong with it is said below its field.</EmptyState>
        ) : list.isPending ? (
          <LoadingRows label={q ? 'Searching' : `Loading ${title}`} />
        ) : list.isError && !list.data ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : rows.length === 0 ? (
          <EmptyState title={q ? 'No mail matches' : emptyTitles[view]}>
            {q &&
              'Search for words and “phrases”, or with from:, to:, subject:, in:, has:attachment, is:unread, before: and after:.'}
          </EmptyState>
        ) : (
          <ul ref={element} {...focus} className="divide-y divide-line">
            {rows.map((row) => (
              <MailRowLink
                key={keyOf(row)}
                row={row}
                isOpen={row.thread ? row.threadId === openRow?.threadId : row.message.id === open}
                view={view}
                selection={isSelectable ? selection : null}
                place={q ? placeOf(row.message, mailboxes) : null}
                own={mailbox.email}
              />
            ))}
          </ul>
        )}
        <MoreRows query={list} />
      </div>
    </>
  );
}

/** Registers `x`, which selects the focused or open conversation, and `X`, which selects all of the list. */
function useSelectionShortcuts(
  { toggle, selectAll }: MailSelection,
  target: () => MailRow | null,
  isOn: boolean,
): void {
  const toggleTarget = useEffectEvent(() => {
    const row = target();
    if (row) toggle(row.threadId);
  });
  const shortcuts = useMemo<Shortcut[]>(
    () => [
      { keys: 'x', label: 'Select or deselect the conversation', group: 'Mail', run: () => toggleTarget() },
      { keys: 'X', label: 'Select all conversations of the list', group: 'Mail', run: selectAll },
    ],
    [selectAll],
  );
  useShortcuts(shortcuts, isOn);
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
function useKeptFocus(list: RefObject<HTMLElement | null>, rows: readonly MailRow[]) {
  const focused = useRef<string | null>(null);
  const before = useRef(rows);
  useLayoutEffect(() => {
    const at = before.current.findIndex(({ message }) => message.id === focused.current);
    before.current = rows;
    const isLost = at >= 0 && document.activeElement === document.body;
    if (!isLost || rows.some(({ message }) => message.id === focused.current)) return;
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

const emptyTitles: Record<MailView, string> = {
  inbox: 'The inbox is empty',
  starred: 'Nothing is starred',
  snoozed: 'Nothing is snoozed',
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

/** The width from which the list is beside the open conversation. */
const BESIDE = '(min-width: 64rem)';

/** Moves the focus from the focused row, or from the open one, to the next or previous one. */
function stepRow(
  list: HTMLElement | null,
  by: 1 | -1,
  rows: readonly MailRow[],
  openRow: MailRow | null,
): void {
  const isFocused = focusedRow(list) !== null;
  const at = isFocused ? -1 : rows.findIndex((row) => row.thread && row.threadId === openRow?.threadId);
  if (at >= 0) list?.querySelectorAll<HTMLElement>('[data-row]')[at]?.focus({ preventScroll: true });
  focusRow(list, by);
}
