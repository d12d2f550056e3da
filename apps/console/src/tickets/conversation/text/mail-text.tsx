import { useId, useMemo, useState } from 'react';
import { MessageText } from './message-text.tsx';
import { splitQuoted } from './split-quoted.ts';

/** The text of a message that came by mail. What it quotes at its end is folded. */
export function MailText({ text }: { text: string }) {
  const { written, quoted } = useMemo(() => splitQuoted(text), [text]);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <MessageText text={written} />
      {quoted !== '' && (
        <>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
            className="mt-1 min-h-6 font-medium text-muted hover:underline"
          >
            {isOpen ? 'Hide quoted text' : 'Show quoted text'}
          </button>
          <div id={id} hidden={!isOpen} className="mt-1 border-l-2 border-line pl-3 text-muted">
            <MessageText text={quoted} isWhole />
          </div>
        </>
      )}
    </>
  );
}
