import type { TicketWithCan } from '@firmdesk/contract';
import { useAccount } from '../../session/account.ts';
import type { Conversation } from '../conversation/use-conversation.ts';
import { EndedTicketPanel } from '../ended-ticket-panel.tsx';
import { openTicketAfter } from '../next-ticket.ts';
import { UnsentReplies } from '../unsent-replies.tsx';
import { Composer } from './composer.tsx';
import type { ComposerState } from './use-composer.ts';

/** The composer below the conversation, or the reason why the user cannot write. */
export function ComposerArea({
  ticket,
  composer,
  conversation,
  onSend,
  onFollowUp,
}: {
  ticket: TicketWithCan;
  composer: ComposerState;
  conversation: Conversation;
  onSend(): void;
  onFollowUp(): void;
}) {
  const { user } = useAccount();
  const { can } = ticket;
  const { mode, begin } = composer;
  return (
    <div className="mx-auto w-full max-w-176 space-y-2 px-3 pb-3">
      {!can.manage && (
        <p className="rounded-lg border border-line bg-surface px-3.5 py-2.5 text-muted">
          You can read this ticket. To reply or change it, you need the permission to manage tickets.
        </p>
      )}
      {can.manage && <UnsentReplies ticket={ticket} userId={user.id} onTakenOver={() => begin('reply')} />}
      {can.manage && !can.reply && (
        <EndedTicketPanel
          ticket={ticket}
          userId={user.id}
          onNote={mode === null ? () => begin('note') : null}
          onFollowUp={onFollowUp}
        />
      )}
      {can.manage && mode !== null && (
        <Composer
          ticket={ticket}
          mode={mode}
          composer={composer}
          messages={conversation.messages}
          onSend={onSend}
          onNext={() => openTicketAfter(ticket.id)}
        />
      )}
    </div>
  );
}
