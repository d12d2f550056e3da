import type { Folder, Mailbox, MailListRow } from '@firmdesk/contract';
import { Link } from '@tanstack/react-router';
import { type RefObject, useLayoutEffect, useMemo, useRef } from 'react';
import { focusedRow, focusRow } from '../keyboard/rows.ts';
import { type Shortcut, useShortcuts } from '../keyboard/shortcuts.ts';
import { classNames } from '../ui/class-names.ts';
import { MoreRows } from '../ui/more-rows.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx';
import { Timestamp } from '../ui/timestamp.tsx';
import { folderLabels } from './folders.ts';
import { mailRoute } from './mail-route.ts';
import { recipientNames } from './recipients.ts';
import { useMessageShortcuts } from './use-message-shortcuts.ts';

export function MessageList({
  mailbox,
  folder,
  rows,
  list,
}: {
  mailbox: Mailbox;
  folder: Folder;
  rows: MailListRow[];
  list: Parameters<typeof MoreRows>[0]['query'] & {
    isPending: boolean;
    isError: boolean;
    data: unknown;
    refetch(): unknown;
  };
}) {
  const { message: open } = mailRoute.useSearch();
  const element = useRef<HTMLUListElement>(null);
  const shortcuts = useMemo<Shortcut[]>(
    () => [
      { keys: 'j', label: 'Next message', group: 'Mail', run: () => focusRow(element.current, 1) },
      { keys: 'k', label: 'Previous message', group: 'Mail', run: () => focusRow(element.current, -1) },
    ],
    [],
  );
  useShortcuts(shortcuts);
  const focus = useKeptFocus(element, rows);
  useMessageShortcuts(() => {
    const id = focusedRow(element.current) ?? open;
    return rows.find((row) => row.id === id) ?? null;
  });

  return (
    <>
      <header className="flex h-11 shrink-0 items-center justify-between gap-2 border-b border-line px-4">
        <h2 className="font-semibold">{folderLabels[folder]}</h2>
        <span className="truncate text-xs text-muted">{mailbox.email}</span>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {list.isPending ? (
          <LoadingRows label={`Loading ${folderLabels[folder]}`} />
        ) : list.isError && !list.data ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : rows.length === 0 ? (
          <EmptyState title={emptyTitles[folder]} />
        ) : (
          <ul ref={element} {...focus} className="divide-y divide-line">
            {rows.map((row) => (
              <MessageRow key={row.id} row={row} isOpen={row.id === open} />
            ))}
          </ul>
        )}
        <MoreRows query={list} />
      </div>
    </>
  );
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

function MessageRow({ row, isOpen }: { row: MailListRow; isOpen: boolean }) {
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
        <span className="block truncate text-muted">{row.snippet || ' '}</span>
      </Link>
    </li>
  );
}
