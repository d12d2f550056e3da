import type { TicketMessage, TicketWithCan } from '@firmdesk/contract';
import { type KeyboardEvent, useState } from 'react';
import { connection } from '../api.ts';
import { useAccount } from '../session/account.ts';
import { useOnline } from '../shell/connection-status.tsx';
import { classNames } from '../ui/class-names.ts';
import { instructionOf } from './assistant-command.ts';
import { AssistantHint } from './assistant-hint.tsx';
import { ComposerFooter } from './composer-footer.tsx';
import { ComposerHeader } from './composer-header.tsx';
import { ImageFields } from './image-fields.tsx';
import { NewMessagesDialog } from './new-messages-dialog.tsx';
import type { ComposerMode } from './reply-drafts.ts';
import { SendError } from './send-error.tsx';
import { sendProblem } from './send-problem.ts';
import { messageBody } from './send-reply.ts';
import { unseenSince } from './unseen.ts';
import type { ComposerState } from './use-composer.ts';
import { useSendReply } from './use-send-reply.ts';

const looks = {
  reply: 'border-line-strong bg-surface',
  note: 'border-note-line bg-note',
  command: 'border-ai-line bg-ai',
};

export interface ComposerProps {
  ticket: TicketWithCan;
  mode: ComposerMode;
  composer: ComposerState;
  messages: readonly TicketMessage[];
  /** Loads the current messages, for when the stream may lag behind. */
  reload(): Promise<TicketMessage[]>;
  onSent(message: TicketMessage): void;
}

/** The text box for a reply, an internal note or, with `/ai`, an instruction to the assistant. */
export function Composer({ ticket, mode, composer, messages, reload, onSent }: ComposerProps) {
  const { user } = useAccount();
  const { draft, write, textarea } = composer;
  const isOnline = useOnline();
  const [unseen, setUnseen] = useState<TicketMessage[]>([]);
  const [hasImage, setHasImage] = useState(false);
  const { send, isPending, error, variables } = useSendReply(ticket.id, user.id, onSent);
  // The error is shown only while the draft still begins with the text that failed.
  const isFailed = error && variables?.mode === mode && draft.text.startsWith(variables.text);
  const isCommand = instructionOf(draft.text) !== null;
  const look = isCommand ? 'command' : mode;
  const problem = sendProblem(draft, { ticket, isOnline });
  const isSendable = !isPending && problem === null && draft.text.trim() !== '';

  const deliver = () => {
    setUnseen([]);
    send(mode, messages.at(-1)?.created_at ?? '');
  };
  const submit = async () => {
    if (!isSendable) return;
    if (mode === 'note' && !isCommand) return deliver();
    const current = connection.state.status === 'open' ? messages : await reload();
    const newMessages = unseenSince(current, draft.seenThrough).filter(
      // Excludes this draft's own message, stored by an earlier attempt whose response was lost.
      ({ body }) => draft.key === null || body !== messageBody(draft.text),
    );
    if (newMessages.length > 0) setUnseen(newMessages);
    else deliver();
  };
  const keepWriting = () => {
    composer.markSeenThrough(unseen.at(-1)!.created_at);
    setUnseen([]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      void submit();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      textarea.current?.blur();
    }
  };

  return (
    <section
      aria-label="Composer"
      data-writing={look}
      className={classNames('rounded-lg border focus-within:border-accent', looks[look])}
    >
      <ComposerHeader
        ticket={ticket}
        mode={mode}
        onMode={composer.begin}
        isCommand={isCommand}
        onAskAssistant={composer.askAssistant}
      />
      <textarea
        ref={textarea}
        aria-label={
          isCommand
            ? 'Instruction to the assistant'
            : mode === 'note'
              ? 'Internal note'
              : `Reply to ${ticket.trader.name}`
        }
        aria-describedby="composer-problem"
        placeholder={placeholderOf(mode, ticket)}
        dir="auto"
        rows={2}
        value={draft.text}
        onChange={(event) => write({ text: event.target.value })}
        onKeyDown={onKeyDown}
        className="block max-h-64 min-h-16 w-full resize-none bg-transparent px-3 py-1.5 outline-none field-sizing-content placeholder:text-muted"
      />
      {mode === 'reply' && !isCommand && (hasImage || draft.imageUrl !== '') && (
        <ImageFields draft={draft} onChange={write} />
      )}
      {isCommand && <AssistantHint ticket={ticket} />}
      {isFailed && <SendError error={error} />}
      <ComposerFooter
        text={draft.text}
        mode={mode}
        problem={problem}
        isSendable={isSendable}
        isRetry={Boolean(isFailed)}
        onSend={() => void submit()}
        {...(mode === 'reply' && !isCommand && { onImage: () => setHasImage(!hasImage) })}
      />
      <NewMessagesDialog messages={unseen} onSend={deliver} onKeepWriting={keepWriting} />
    </section>
  );
}

function placeholderOf(mode: ComposerMode, { trader, can }: TicketWithCan): string {
  if (mode === 'note') return 'Internal note, visible to the team only';
  return can.ai ? `Reply to ${trader.name}, or type /ai to ask the assistant` : `Reply to ${trader.name}`;
}
