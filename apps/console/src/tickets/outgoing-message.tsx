import { LoaderCircle } from 'lucide-react';
import { classNames } from '../ui/class-names.ts';
import { instructionOf } from './assistant-command.ts';
import { MessageText } from './message-text.tsx';
import { type MessageToSend, messageBody } from './send-reply.ts';

/** A message that is being sent, shown at its future position. */
export function OutgoingMessage({ outgoing }: { outgoing: MessageToSend }) {
  const isNote = outgoing.mode === 'note' || instructionOf(outgoing.text) !== null;
  return (
    <article
      aria-label={isNote ? 'Your internal note, sending' : 'Your reply, sending'}
      className={classNames(
        'rounded-lg border px-3.5 py-2.5 opacity-70',
        isNote ? 'border-dashed border-note-line bg-note' : 'ml-[12%] border-transparent bg-selected',
      )}
    >
      <header className="mb-1 flex items-center gap-1.5 text-xs text-muted">
        <LoaderCircle size={12} aria-hidden="true" className="animate-spin" />
        Sending…
      </header>
      <MessageText text={messageBody(outgoing.text)} />
    </article>
  );
}
