import type { MailListRow } from '@firmdesk/contract';
import { useMemo, useRef } from 'react';
import { type Shortcut, useShortcuts } from '../keyboard/shortcuts.ts';
import { isRestorable } from './folders.ts';
import { useFileMessage } from './use-file-message.ts';

/** The keys that file a message: the one that has the focus, or is open. */
export function useFilingKeys(target: () => MailListRow | null): void {
  const filing = useFileMessage();
  // The keys stay the same ones; what they act on is asked when they are pressed.
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
      key('u', 'Mark as unread, or read', (row, { mark }) => mark({ row, is_read: !row.is_read })),
    ];
  }, []);
  useShortcuts(shortcuts);
}
