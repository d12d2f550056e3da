import type { Mailbox } from '@firmdesk/contract';
import { Forward, type LucideIcon, Reply, ReplyAll } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { giveUpFocus } from '../../keyboard/held-keys.ts';
import { type Shortcut, useShortcuts } from '../../keyboard/shortcuts.ts';
import { useAnswer } from './begin-draft.ts';
import type { AnswerKind } from './reply.ts';

/** The ways to answer a message, with their keys. */
export const answers: readonly { kind: AnswerKind; label: string; keys: string; icon: LucideIcon }[] = [
  { kind: 'reply', label: 'Reply', keys: 'r', icon: Reply },
  { kind: 'replyAll', label: 'Reply to all', keys: 'a', icon: ReplyAll },
  { kind: 'forward', label: 'Forward', keys: 'f', icon: Forward },
];

/** Registers the shortcuts that answer the focused or open message. A draft is not answered. */
export function useAnswerShortcuts(mailboxes: readonly Mailbox[], target: () => string | undefined): void {
  const answer = useAnswer(mailboxes);
  const current = useRef({ answer, target });
  current.current = { answer, target };
  const shortcuts = useMemo<Shortcut[]>(
    () =>
      answers.map(({ kind, label, keys }) => ({
        keys,
        label,
        group: 'Mail',
        movesFocus: true,
        run() {
          const id = current.current.target();
          if (id) current.current.answer?.(id, kind);
          // The wait for the focus begins after this function.
          else queueMicrotask(giveUpFocus);
        },
      })),
    [],
  );
  useShortcuts(shortcuts, answer !== null);
}
