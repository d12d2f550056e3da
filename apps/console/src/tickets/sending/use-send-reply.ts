import { withStatus } from '../../macros/draft-macros.ts';
import { outbox } from '../../outbox/outbox.ts';
import { useAccount } from '../../session/account.ts';
import { idsMentionedIn } from '../composer/mentions.ts';
import { type ComposerMode, putBackDraft, takeDraft } from '../composer/reply-drafts.ts';
import { useSupportDirectory } from '../properties/use-support-directory.ts';
import { delaysSends } from './delayed-sends.ts';
import { rejectMessage } from './rejected-message.ts';

/** Returns a function that takes the draft and sends it: now, or when the line is back. */
export function useSendReply(ticketId: string) {
  const { user } = useAccount();
  const agents = useSupportDirectory()?.agents;
  return (
    mode: ComposerMode,
    {
      resolves,
      seenMessageId,
      after,
    }: {
      /** Whether the ticket is resolved with the reply. */
      resolves: boolean;
      seenMessageId: string | null;
      after: string;
    },
  ) => {
    const { key, ...taken } = takeDraft(user.id, ticketId, mode);
    const draft = resolves ? { ...taken, macros: withStatus(taken.macros, 'resolved') } : taken;
    rejectMessage(null);
    outbox().add({
      kind: 'message',
      key,
      ticket: ticketId,
      mode,
      draft: { ...draft, key },
      seenMessageId,
      after,
      isDelayed: mode === 'reply' && delaysSends.get(),
      // Mentions whose names are not loaded yet are found when the note is sent.
      ...(agents && { mentions: mode === 'note' ? idsMentionedIn(draft.text, agents) : [] }),
    });
  };
}

/** Returns a function that puts a message that waits for the line back into its draft. It does nothing while it is sent. */
export function useTakeBack() {
  const { user } = useAccount();
  return async (key: string) => {
    const entry = await outbox().take(key);
    if (entry?.kind !== 'message') return;
    putBackDraft(user.id, entry.ticket, entry.mode, { ...entry.draft, key: entry.isTried ? key : null });
  };
}
