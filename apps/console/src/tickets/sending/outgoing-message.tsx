import { Clock, CloudOff, LoaderCircle } from 'lucide-react';
import { shownFiles } from '../../attachments/draft-file.ts';
import { MessageFiles } from '../../attachments/message-files.tsx';
import type { UnsavedMessage } from '../../outbox/entries.ts';
import { outbox, useIsStalled } from '../../outbox/outbox.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { instructionOf } from '../composer/assistant-command.ts';
import { MessageText } from '../conversation/text/message-text.tsx';
import { type DelayedSend, takeBack } from './delayed-sends.ts';
import { messageBody } from './send-reply.ts';
import { useTakeBack } from './use-send-reply.ts';

/** A message that is being sent or waits for the line, shown at its future position. */
export function OutgoingMessage({ outgoing: { key, mode, draft } }: { outgoing: UnsavedMessage }) {
  const isStalled = useIsStalled();
  const takeBack = useTakeBack();
  const isNote = mode === 'note' || instructionOf(draft.text) !== null;
  const name = isNote ? 'Your internal note' : 'Your reply';
  return (
    <article
      aria-label={`${name}, ${isStalled ? 'not sent' : 'sending'}`}
      className={classNames(
        'rounded-lg border px-3.5 py-2.5',
        isStalled ? 'border-dashed border-line-strong' : 'opacity-70',
        isNote ? 'border-dashed border-note-line bg-note' : 'ml-[12%] bg-selected',
        !isNote && !isStalled && 'border-transparent',
      )}
    >
      <header className="mb-1 flex flex-wrap items-center gap-1.5 text-xs text-muted">
        {isStalled ? (
          <>
            <CloudOff size={13} aria-hidden="true" className="text-warning" />
            <span role="status" className="flex-1 font-medium text-warning">
              Not sent. It will be sent when you’re back online.
            </span>
            <Button variant="quiet" className="h-7 px-2 text-xs" onClick={() => void takeBack(key)}>
              Edit
            </Button>
            <Button className="h-7 px-2 text-xs" onClick={() => outbox().flush()}>
              Send now
            </Button>
          </>
        ) : (
          <>
            <LoaderCircle size={12} aria-hidden="true" className="animate-spin" />
            Sending…
          </>
        )}
      </header>
      {draft.text !== '' && <MessageText text={messageBody(draft.text)} html={draft.html} />}
      <MessageFiles files={shownFiles(draft.files)} />
    </article>
  );
}

/** A reply whose send is delayed for some seconds, with a button that undoes it. */
export function DelayedMessage({ delayed }: { delayed: DelayedSend }) {
  return (
    <article
      aria-label="Your reply, being sent"
      className="ml-[12%] rounded-lg border border-transparent bg-selected px-3.5 py-2.5"
    >
      <header className="mb-1 flex flex-wrap items-center gap-1.5 text-xs text-muted">
        <Clock size={12} aria-hidden="true" />
        <span className="flex-1">Sending in a few seconds…</span>
        <Button variant="quiet" className="h-7 px-2 text-xs" onClick={() => void takeBack(delayed)}>
          Undo
        </Button>
      </header>
      {delayed.draft.text !== '' && <MessageText text={messageBody(delayed.draft.text)} />}
      <MessageFiles files={shownFiles(delayed.draft.files)} />
    </article>
  );
}
