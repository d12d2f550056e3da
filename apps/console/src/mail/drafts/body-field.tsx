import { useEffect, useRef, useState } from 'react';
import type { DraftFile } from '../../attachments/draft-file.ts';
import type { EditableField } from '../../rich-text/editable-field.ts';
import type { EditorImages, RichEditor } from '../../rich-text/editor.ts';
import { FormatBar } from '../../rich-text/format-bar.tsx';
import { RichTextField } from '../../rich-text/rich-text-field.tsx';
import { Button } from '../../ui/button.tsx';
import { MessageBody } from '../message/message-body.tsx';
import { plainText, textToHtml } from './body-text.ts';
import { bodyOf, editableBody } from './rich-body.ts';

/** The body. One with more formatting than the editor keeps is shown read-only until the user converts it to plain text. */
export function BodyField({
  isFocused,
  revision,
  body,
  subject,
  files,
  images,
  onChange,
}: {
  /** Whether writing begins here, above what the text begins with. */
  isFocused: boolean;
  /** Changes when the body is replaced by another version. The field keeps the focus. */
  revision: number;
  body: string;
  subject: string;
  /** The files of the draft, of which the text shows some. */
  files: readonly DraftFile[];
  images: EditorImages;
  onChange(body: string): void;
}) {
  const [value, setValue] = useState(() => editableBody(body, images.isOwn));
  const [shown, setShown] = useState(revision);
  if (shown !== revision) {
    setShown(revision);
    setValue(editableBody(body, images.isOwn));
  }
  const [editor, setEditor] = useState<RichEditor | null>(null);
  const field = useRef<EditableField>(null);
  useEffect(() => {
    for (const { key, id, name } of files) if (id !== null) editor?.showImage(key, id, name);
  }, [editor, files]);
  useEffect(() => {
    if (!isFocused) return;
    field.current?.moveTo('start');
    field.current?.focus();
  }, [isFocused]);
  if (value === null) {
    const convert = () => {
      const text = plainText(body);
      setValue({ text, html: null });
      onChange(textToHtml(text));
    };
    return (
      <section
        aria-label="Message"
        className="flex min-h-72 flex-1 flex-col overflow-hidden rounded-md border border-line"
      >
        <div className="flex flex-wrap items-center gap-2 border-b border-line bg-canvas px-3 py-1.5 text-muted">
          <span className="flex-1">This message has formatting that can’t be edited here.</span>
          <Button onClick={convert}>Edit as plain text</Button>
        </div>
        <MessageBody body={body} subject={subject} />
      </section>
    );
  }
  return (
    <div className="flex min-h-72 flex-1 flex-col">
      <span aria-hidden="true" className="mb-1 block font-medium">
        Message
      </span>
      <div className="flex flex-1 flex-col rounded-md border border-line-strong bg-surface focus-within:border-accent">
        <RichTextField
          field={field}
          onEditor={setEditor}
          value={value}
          onChange={(next) => {
            setValue(next);
            onChange(bodyOf(next));
          }}
          // The form sends the message.
          onKeyDown={({ key, metaKey, ctrlKey }) => key === 'Enter' && (metaKey || ctrlKey)}
          placeholder=""
          images={images}
          attributes={{ 'aria-label': 'Message' }}
          className="min-h-56 w-full flex-1 px-2.5 py-1.5 outline-none"
        />
        {editor && <FormatBar editor={editor} hasImages />}
      </div>
    </div>
  );
}
