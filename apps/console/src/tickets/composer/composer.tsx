import { hasVisibleText, type TicketMessage, type TicketWithCan } from '@firmdesk/contract';
import { useRef, useState } from 'react';
import { AttachButton } from '../../attachments/attach-button.tsx';
import { DraftFiles } from '../../attachments/draft-files.tsx';
import { ComposerMacros } from '../../macros/composer-macros.tsx';
import type { RichEditor } from '../../rich-text/editor.ts';
import { FormatBar } from '../../rich-text/format-bar.tsx';
import { RichTextField } from '../../rich-text/rich-text-field.tsx';
import { storedValue, useStoredValue } from '../../stored-value.ts';
import { classNames } from '../../ui/class-names.ts';
import { NewMessagesDialog } from '../conversation/new-messages-dialog.tsx';
import { unseenSince } from '../conversation/unseen.ts';
import { ImageFields } from '../create/image-fields.tsx';
import { useSupportDirectory } from '../properties/use-support-directory.ts';
import { newerMessagesIn, useRejectedMessage } from '../sending/rejected-message.ts';
import { SendError } from '../sending/send-error.tsx';
import { sendProblem } from '../sending/send-problem.ts';
import { messageBody } from '../sending/send-reply.ts';
import { useSendReply } from '../sending/use-send-reply.ts';
import { useIsActive } from '../use-is-active.ts';
import { instructionOf } from './assistant-command.ts';
import { AssistantHint } from './assistant-hint.tsx';
import { ComposerFooter } from './composer-footer.tsx';
import { ComposerHeader } from './composer-header.tsx';
import { MentionedColleagues, MentionList } from './mention-list.tsx';
import { NewerDraft } from './newer-draft.tsx';
import { type ComposerMode, isEmptyDraft } from './reply-drafts.ts';
import type { ComposerState } from './use-composer.ts';
import { useDraftSync } from './use-draft-sync.ts';
import { useMentionPicker } from './use-mention-picker.ts';
import { useReplyFiles } from './use-reply-files.ts';

const looks = {
  reply: 'border-line-strong bg-surface',
  note: 'border-note-line bg-note',
  command: 'border-ai-line bg-ai',
};

/** Whether the buttons that format a text are shown. */
const formatBarOn = storedValue('format-bar', (stored) => stored === true);

type AfterSend = 'stay' | 'resolve' | 'next';

export interface ComposerProps {
  ticket: TicketWithCan;
  mode: ComposerMode;
  composer: ComposerState;
  messages: readonly TicketMessage[];
  onSend(): void;
  /** Opens the next ticket. */
  onNext(): void;
}

/** The text box for a reply, an internal note or, with `/ai`, an instruction to the assistant. */
export function Composer({ ticket, mode, composer, messages, onSend, onNext }: ComposerProps) {
  const { draft, write, field } = composer;
  const [editor, setEditor] = useState<RichEditor | null>(null);
  const hasFormatBar = useStoredValue(formatBarOn);
  const [hasImage, setHasImage] = useState(false);
  const files = useReplyFiles(ticket.id, mode, draft.files);
  const send = useSendReply(ticket.id);
  const newerDraft = useDraftSync(ticket.id, mode);
  const rejected = useRejectedMessage(ticket.id, mode);
  // Shown only while the draft still begins with the text that was rejected.
  const isRejected = rejected !== null && draft.text.startsWith(rejected.text);
  const newer = isRejected ? newerMessagesIn(rejected.error) : null;
  const [unseen, setUnseen] = useState<readonly TicketMessage[]>([]);
  const [knownNewer, setKnownNewer] = useState(newer);
  if (newer !== knownNewer) {
    setKnownNewer(newer);
    if (newer) setUnseen(newer);
  }
  const isCommand = instructionOf(draft.text) !== null;
  const isNote = mode === 'note' && !isCommand;
  const isReply = mode === 'reply' && !isCommand;
  const mentions = useMentionPicker(field, useSupportDirectory()?.agents ?? [], isNote);
  const look = isCommand ? 'command' : mode;
  const { isWriting } = composer.assistantDraft;
  const progress = mode === 'reply' && isWriting ? 'The assistant is still writing.' : null;
  const problem = progress === null ? sendProblem(draft, ticket) : null;
  const isEmpty = !hasVisibleText(draft.text) && draft.files.length === 0;
  const section = useRef<HTMLElement>(null);
  const { isActive, onFocus } = useIsActive(section);
  /** One line on a phone. */
  const isFolded = !isActive && isEmptyDraft(draft) && !hasImage && !isWriting && !newerDraft;
  const isSendable = progress === null && problem === null && !isEmpty;

  /** What follows once the message is on its way. */
  const [after, setAfter] = useState<AfterSend>('stay');
  /** @param seen all messages that the writer has been shown */
  const deliver = (seen: readonly TicketMessage[], then: AfterSend) => {
    setUnseen([]);
    send(mode, {
      resolves: then === 'resolve',
      seenMessageId: seen.at(-1)?.id ?? null,
      after: messages.at(-1)?.created_at ?? '',
    });
    onSend();
    if (then !== 'stay') onNext();
  };
  const submit = (then: AfterSend = 'stay') => {
    if (!isSendable) return;
    setAfter(then);
    const newMessages = unseenSince(messages, draft.seenThrough).filter(
      // Excludes this draft's own message, stored by an earlier attempt whose response was lost.
      ({ body }) => draft.key === null || body !== messageBody(draft.text),
    );
    if (newMessages.length > 0) setUnseen(newMessages);
    else
      deliver(
        messages.filter(({ created_at }) => created_at <= (draft.seenThrough ?? '')),
        then,
      );
  };
  const keepWriting = () => {
    composer.markSeenThrough(unseen.at(-1)!.created_at);
    setUnseen([]);
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (mentions.onKeyDown(event)) return true;
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      if (event.shiftKey && isReply) submit('resolve');
      else submit(event.altKey ? 'next' : 'stay');
    } else if (event.key === 'Escape') {
      event.preventDefault();
      field.current?.leave();
    }
    return event.defaultPrevented;
  };

  return (
    <section
      ref={section}
      onFocus={onFocus}
      aria-label="Composer"
      data-writing={look}
      className={classNames(
        '@container relative rounded-lg border focus-within:border-accent',
        looks[look],
        files.isOver && 'outline-2 outline-dashed outline-accent',
      )}
      {...files.handlers}
    >
      <div className={classNames(isFolded && 'max-md:hidden')}>
        <ComposerHeader
          ticket={ticket}
          mode={mode}
          onMode={composer.begin}
          isCommand={isCommand}
          onAskAssistant={composer.askAssistant}
          assistantDraft={composer.assistantDraft}
        />
      </div>
      <MentionList picker={mentions} />
      <RichTextField
        // Each kind has its own history of changes.
        key={mode}
        field={field}
        onEditor={setEditor}
        value={draft}
        onChange={({ text, html }) => {
          write({ text, html });
          mentions.onSelect();
        }}
        onKeyDown={onKeyDown}
        onSelect={mentions.onSelect}
        placeholder={placeholderOf(mode, ticket)}
        attributes={{
          ...mentions.attributes,
          'aria-label': isCommand
            ? 'Instruction to the assistant'
            : mode === 'note'
              ? 'Internal note'
              : `Reply to ${ticket.trader.name}`,
          'aria-describedby': 'composer-problem',
        }}
        className={classNames(
          'max-h-64 min-h-16 w-full overflow-y-auto bg-transparent px-3 py-1.5 outline-none short:min-h-9',
          isFolded && 'max-md:h-11 max-md:min-h-11 max-md:truncate max-md:py-2.5',
        )}
      />
      {mode === 'reply' && !isCommand && (hasImage || draft.imageUrl !== '') && (
        <ImageFields draft={draft} onChange={write} />
      )}
      <DraftFiles state={files} />
      <ComposerMacros ticket={ticket} composer={composer} isReply={mode === 'reply' && !isCommand} />
      {isNote && <MentionedColleagues text={draft.text} />}
      {isCommand && <AssistantHint ticket={ticket} />}
      {editor && hasFormatBar && !isCommand && <FormatBar editor={editor} />}
      {isRejected && newer === null && <SendError error={rejected.error} />}
      {newerDraft && <NewerDraft newer={newerDraft} />}
      <div className={classNames(isFolded && 'max-md:hidden')}>
        <ComposerFooter
          text={draft.text}
          mode={mode}
          problem={problem}
          progress={progress}
          isSendable={isSendable}
          isRetry={isRejected}
          onSend={() => submit()}
          {...(isReply && { onSendAndResolve: () => submit('resolve') })}
          onSendAndNext={() => submit('next')}
          attach={isCommand ? null : <AttachButton group="Ticket" onChoose={files.add} />}
          onMacro={composer.macros.open}
          {...(editor && !isCommand && { onFormat: () => formatBarOn.set(!hasFormatBar) })}
          {...(mode === 'reply' && !isCommand && { onImage: () => setHasImage(!hasImage) })}
        />
      </div>
      <NewMessagesDialog
        messages={unseen}
        onSend={() => deliver(unseen, after)}
        onKeepWriting={keepWriting}
      />
    </section>
  );
}

function placeholderOf(mode: ComposerMode, { trader, can }: TicketWithCan): string {
  if (mode === 'note') return 'Internal note, visible to the team only';
  return can.ai ? `Reply to ${trader.name}, or type /ai to ask the assistant` : `Reply to ${trader.name}`;
}
