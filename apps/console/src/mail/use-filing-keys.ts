import type { MailListRow } from '@firmdesk/contract';
import { useMemo, useRef } from 'react';
import { type Shortcut, useShortcuts } from '../keyboard/shortcuts.ts';
import { isRestorable } from './folders.ts';
import { useFileMessage } from './use-file-message.ts';

/** Registers the shortcuts that file the focused or open message. */
export function useFilingKeys(target: () => MailListRow | null): void {
  const filing = useFileMessage();
  // Reads the target at the key press, so that the shortcuts are registered once.
  const current = useRef({ target, filing });
  current.current = { target, filing };
  const shortcuts = useMemo<Shortcut[]>(() => {
    const key = (keys: string, label: string, run: (row: MailListRow, file: typeof filing) => void) => ({
      keys,
      label,
      group: 'Mail',
      run() {
        const row = current.current.target();
        if (row) run(row, current.current.filing);
      },
    });
    return [
      key('e', 'Archive', (row, { move }) => row.folder !== 'drafts' && move(row, 'archive')),
      key('#', 'Move to trash', (row, { move }) => move(row, 'trash')),
      key('!', 'Move to spam', (row, { move }) => row.folder !== 'drafts' && move(row, 'spam')),
      key('r', 'Restore', (row, { restore }) => isRestorable(row.folder) && restore(row, false)),
      key('u', 'Mark as read or unread', (row, { mark }) => mark({ row, is_read: !row.is_read })),
    ];
  }, []);
  useShortcuts(shortcuts);
}
