import type { MailListRow } from '@firmdesk/contract';
import { useMemo, useRef } from 'react';
import { type Shortcut, useShortcuts } from '../../keyboard/shortcuts.ts';
import { useMessageActions } from './use-message-actions.ts';

/** Registers the shortcuts that archive, move or mark the focused or open message. */
export function useMessageShortcuts(target: () => MailListRow | null): void {
  const actions = useMessageActions();
  // Reads the target at the key press, so that the shortcuts are registered once.
  const current = useRef({ target, actions });
  current.current = { target, actions };
  const shortcuts = useMemo<Shortcut[]>(() => {
    const key = (keys: string, label: string, run: (row: MailListRow, on: typeof actions) => void) => ({
      keys,
      label,
      group: 'Mail',
      run() {
        const row = current.current.target();
        if (row) run(row, current.current.actions);
      },
    });
    return [
      key('e', 'Archive', (row, { move }) => row.folder !== 'drafts' && move(row, 'archive')),
      key('#', 'Move to trash', (row, { move }) => move(row, 'trash')),
      key('!', 'Move to spam', (row, { move }) => row.folder !== 'drafts' && move(row, 'spam')),
      key('u', 'Mark as read or unread', (row, { mark }) => mark({ row, is_read: !row.is_read })),
    ];
  }, []);
  useShortcuts(shortcuts);
}
