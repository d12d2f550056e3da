import { MAX_MACRO_TEXT, macroValues, macroVariables } from '@firmdesk/contract';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { fillText } from '../macros/fill-macro.ts';
import { useAccount } from '../session/account.ts';
import { Button } from '../ui/button.tsx';
import { TextAreaField } from '../ui/fields/field.tsx';

/** The trader and the ticket that the preview shows. */
const EXAMPLE = {
  number: '#4X7Q2M',
  subject: 'Where is my payout?',
  trader: { name: 'Alex Example', deleted: false },
};

/** The text of a macro in a language, with buttons that insert its variables, and what is inserted for a ticket. */
export function MacroTextField({
  language,
  text,
  error,
  onChange,
}: {
  language: string;
  text: string;
  error: string | undefined;
  onChange(text: string): void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { user, workspace } = useAccount();
  const insert = (variable: string) => {
    const { selectionStart, selectionEnd } = field.current!;
    const written = `{{${variable}}}`;
    flushSync(() => onChange(text.slice(0, selectionStart) + written + text.slice(selectionEnd)));
    field.current!.focus();
    field.current!.setSelectionRange(selectionStart + written.length, selectionStart + written.length);
  };
  const preview = fillText(text, macroValues(EXAMPLE, user.name, workspace.name));
  return (
    <>
      <TextAreaField
        ref={field}
        label={`Text in ${language.trim() || 'this language'}`}
        isLabelHidden
        dir="auto"
        rows={5}
        maxLength={MAX_MACRO_TEXT}
        value={text}
        error={error}
        onChange={({ target }) => onChange(target.value)}
      />
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">Insert a variable</legend>
        {macroVariables.map((variable) => (
          <Button key={variable} className="text-xs" onClick={() => insert(variable)}>
            <span className="sr-only">Insert </span>
            {variable}
          </Button>
        ))}
      </fieldset>
      {preview !== text && (
        <section aria-label="Preview" className="rounded-md bg-canvas px-3 py-2">
          <p className="text-xs text-muted">For example</p>
          <p dir="auto" className="break-words whitespace-pre-wrap">
            {preview}
          </p>
        </section>
      )}
    </>
  );
}
