import type { TicketWithCan } from '@firmdesk/contract';
import { useNavigate } from '@tanstack/react-router';
import { useEffectEvent, useMemo } from 'react';
import { type Shortcut, useShortcuts } from '../keyboard/shortcuts.ts';
import { useAccount } from '../session/account.ts';
import { reportError } from '../shell/report-error.ts';
import type { ComposerState } from './composer/use-composer.ts';
import { useFollow } from './properties/follow-button.tsx';
import type { Property } from './properties/property-menus.tsx';
import { isEnded } from './properties/ticket-labels.ts';
import { loadSupportDirectory, useSupportDirectory } from './properties/use-support-directory.ts';
import { showsChanges } from './properties/use-ticket-history.ts';
import type { TicketTool } from './ticket-menu.tsx';
import { type TicketActions, useStopAssistant } from './use-ticket-actions.ts';

/** The ticket and actions that the shortcuts apply to. */
export interface ShortcutTarget {
  ticket: TicketWithCan;
  actions: TicketActions;
  composer: ComposerState;
  openProperty(property: Property): void;
  openTool(tool: TicketTool): void;
  end(status: 'resolved'): void;
}

/** Registers the shortcuts of a ticket's possible actions. */
export function useTicketShortcuts(on: ShortcutTarget): void {
  const navigate = useNavigate();
  const { user } = useAccount();
  // Undefined until the directory is loaded.
  const isAssignable = useSupportDirectory()?.agents.some(
    ({ id, may_answer }) => may_answer && id === user.id,
  );
  const assignToMe = useEffectEvent(async (actions: TicketActions) => {
    const { agents } = await loadSupportDirectory();
    const me = agents.find(({ id }) => id === user.id);
    if (me) actions.assign(me);
  });
  const { mutate: stop } = useStopAssistant(on.ticket.id);
  const follow = useEffectEvent(useFollow(on.ticket));
  // Reads the latest props at the key press, so that typing does not register the shortcuts again.
  const act = useEffectEvent((run: (on: ShortcutTarget) => void) => run(on));
  const { can, status, trader } = on.ticket;

  const shortcuts = useMemo<Shortcut[]>(() => {
    const shortcut = (keys: string, label: string, run: (on: ShortcutTarget) => void, isPossible = true) =>
      isPossible ? [{ keys, label, group: 'Ticket', actsOnRow: true, run: () => act(run) }] : [];
    /** A shortcut that opens a menu or the composer. */
    const opening = (...args: Parameters<typeof shortcut>) =>
      shortcut(...args).map((each) => ({ ...each, movesFocus: true }));
    const pickMacro = ({ composer }: ShortcutTarget) => {
      if (composer.mode === null) composer.begin('note');
      composer.macros.open();
    };
    const isLive = can.manage && !isEnded(status);
    return [
      ...opening('r', 'Reply', ({ composer }) => composer.begin('reply'), can.reply),
      ...opening('n', 'Write an internal note', ({ composer }) => composer.begin('note'), can.manage),
      ...opening(
        'mod+j',
        'Ask the assistant',
        ({ composer }) => composer.askAssistant(),
        can.manage && can.ai,
      ),
      ...opening(';', 'Insert a macro', pickMacro, can.manage),
      ...opening('mod+;', 'Insert a macro', pickMacro, can.manage),
      ...opening(
        'd',
        'Draft a reply with the assistant',
        ({ composer }) => composer.assistantDraft.begin(),
        can.reply && can.ai,
      ),
      ...shortcut(
        'mod+.',
        'Stop the assistant',
        ({ composer }) => composer.assistantDraft.stop() || stop(),
        can.manage,
      ),
      ...shortcut(
        'i',
        'Assign to me',
        ({ actions }) =>
          void assignToMe(actions).catch((error) => reportError(error, 'Couldn’t assign the ticket')),
        can.manage && isAssignable !== false,
      ),
      ...opening('a', 'Assign…', ({ openProperty }) => openProperty('assignee'), can.manage),
      ...opening('t', 'Team…', ({ openProperty }) => openProperty('team'), can.manage),
      ...opening('p', 'Priority…', ({ openProperty }) => openProperty('priority'), can.manage),
      ...opening('l', 'Tags…', ({ openProperty }) => openProperty('tags'), can.manage),
      ...opening('s', 'Status…', ({ openProperty }) => openProperty('status'), isLive),
      ...opening(
        'o',
        'Open a follow-up…',
        ({ openTool }) => openTool('follow-up'),
        can.manage && isEnded(status) && !trader.deleted,
      ),
      ...shortcut('e', 'Resolve', ({ end }) => end('resolved'), isLive),
      ...shortcut('u', 'Mark as read', ({ actions }) => actions.markRead()),
      ...shortcut('U', 'Mark as unread', ({ actions }) => actions.markUnread()),
      ...opening('h', 'Snooze…', ({ openTool }) => openTool('snooze'), isLive),
      ...opening('L', 'Link a ticket…', ({ openTool }) => openTool('link'), can.manage),
      ...opening('M', 'Merge into another ticket…', ({ openTool }) => openTool('merge'), isLive),
      ...shortcut('f', 'Follow or unfollow', () => follow()),
      ...shortcut('H', 'Show or hide changes', () => showsChanges.set(!showsChanges.get())),
      ...shortcut('Escape', 'Back to the list', () => void navigate({ to: '/tickets', search: true })),
    ];
  }, [can.manage, can.reply, can.ai, status, trader.deleted, isAssignable, stop, navigate]);
  useShortcuts(shortcuts);
}
