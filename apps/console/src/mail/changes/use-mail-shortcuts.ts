import { useMemo, useRef } from 'react';
import { type Shortcut, useShortcuts } from '../../keyboard/shortcuts.ts';
import type { MailRow } from '../mail-row.ts';
import { useMailActions } from './use-mail-actions.ts';

/** Registers the shortcuts that act on the focused or open conversation. The keys are those of tickets where they mean the same. */
export function useMailShortcuts(
  target: () => MailRow | null,
  open: { snooze(row: MailRow): void; tags(row: MailRow): void },
): void {
  const actions = useMailActions();
  // Reads the target at the key press, so that the shortcuts are registered once.
  const current = useRef({ target, actions, open });
  current.current = { target, actions, open };
  const shortcuts = useMemo<Shortcut[]>(() => {
    type On = (typeof current)['current'];
    const key = (keys: string, label: string, run: (row: MailRow, on: On) => void, movesFocus = false) => ({
      keys,
      label,
      group: 'Mail',
      movesFocus,
      run() {
        const row = current.current.target();
        if (row) run(row, current.current);
      },
    });
    const isDraft = ({ message }: MailRow) => message.folder === 'drafts';
    return [
      key('e', 'Archive', (row, { actions }) => isDraft(row) || actions.move(row, 'archive')),
      key('#', 'Move to trash', (row, { actions }) => actions.move(row, 'trash')),
      key('!', 'Move to spam', (row, { actions }) => isDraft(row) || actions.move(row, 'spam')),
      key('u', 'Mark as read', (row, { actions }) => actions.markRead(row, true)),
      key('U', 'Mark as unread', (row, { actions }) => actions.markRead(row, false)),
      key('*', 'Star or remove the star', (row, { actions }) =>
        actions.star(row, !(row.thread?.is_starred ?? false)),
      ),
      key('h', 'Snooze…', (row, { open }) => open.snooze(row), true),
      key('l', 'Tags…', (row, { open }) => open.tags(row), true),
    ];
  }, []);
  useShortcuts(shortcuts);
}
