import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextAreaField } from '../../ui/field.tsx';
import { MessageBody } from '../message/message-body.tsx';
import { htmlToText, plainText, textToHtml } from './body-text.ts';

/** The body as plain text. A formatted body is shown read-only until the user converts it to plain text. */
export function BodyField({
  isFocused,
  revision,
  body,
  subject,
  onChange,
}: {
  /** Whether writing begins here, above what the text begins with. */
  isFocused: boolean;
  /** Changes when the body is replaced by another version. The field keeps the focus. */
  revision: number;
  body: string;
  subject: string;
  onChange(body: string): void;
}) {
  const [text, setText] = useState(() => htmlToText(body));
  const [shown, setShown] = useState(revision);
  if (shown !== revision) {
    setShown(revision);
    setText(htmlToText(body));
  }
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!isFocused) return;
    field.current?.focus();
    field.current?.setSelectionRange(0, 0);
  }, [isFocused]);
  const type = (next: string) => {
    setText(next);
    onChange(textToHtml(next));
  };
  if (text === null) {
    return (
      <section
        aria-label="Message"
        className="flex min-h-72 flex-1 flex-col overflow-hidden rounded-md border border-line"
      >
        <div className="flex flex-wrap items-center gap-2 border-b border-line bg-canvas px-3 py-1.5 text-muted">
          <span className="flex-1">This message has formatting, so it can’t be edited as text.</span>
          <Button onClick={() => type(plainText(body))}>Edit as plain text</Button>
        </div>
        <MessageBody body={body} subject={subject} />
      </section>
    );
  }
  return (
    <TextAreaField
      label="Message"
      ref={field}
      className="flex min-h-72 flex-1 flex-col [&_textarea]:flex-1 [&_textarea]:resize-none"
      value={text}
      onChange={(event) => type(event.target.value)}
    />
  );
}
