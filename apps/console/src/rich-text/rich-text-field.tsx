import { type RefObject, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type EditableField, type FormattedText, textBoxField } from './editable-field.ts';
import type { EditorImages, RichEditor } from './editor.ts';
import { loadEditor, loadedEditor } from './load-editor.ts';

export interface RichTextFieldProps {
  field: RefObject<EditableField | null>;
  /** What formats the text; null until the editor is loaded. */
  onEditor(editor: RichEditor | null): void;
  value: FormattedText;
  onChange(value: FormattedText): void;
  /** Returns whether it has handled a key. */
  onKeyDown(event: KeyboardEvent): boolean;
  onSelect?(): void;
  placeholder: string;
  images?: EditorImages;
  /** `aria-` attributes. */
  attributes: Readonly<Record<`aria-${string}`, string>>;
  className: string;
}

/** A field for a formatted text. Until the editor is loaded it is a text box, whose text and caret the editor takes over. */
export function RichTextField(props: RichTextFieldProps) {
  const [code, setCode] = useState(loadedEditor);
  const [isFailed, setFailed] = useState(false);
  const caret = useRef<number | null>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (code) return;
    let isMounted = true;
    loadEditor().then(
      (loaded) => {
        if (!isMounted) return;
        const take = () => {
          const field = box.current;
          caret.current = field && document.activeElement === field ? field.selectionStart : null;
          flushSync(() => setCode(loaded));
        };
        // A character that is being composed would be lost.
        if (isComposing.current)
          box.current?.addEventListener('compositionend', () => setTimeout(take), { once: true });
        else take();
      },
      // The text box stays.
      () => isMounted && setFailed(true),
    );
    return () => {
      isMounted = false;
    };
  }, [code]);
  const isComposing = useRef(false);
  return code ? (
    <EditorBox {...props} create={code.createEditor} caret={caret} />
  ) : (
    <TextBox
      {...props}
      box={box}
      isComposing={isComposing}
      // Its formatting would be lost.
      isReadOnly={props.value.html !== null && !isFailed}
    />
  );
}

function TextBox({
  field,
  value,
  onChange,
  onKeyDown,
  onSelect,
  placeholder,
  attributes,
  className,
  box,
  isComposing,
  isReadOnly,
}: RichTextFieldProps & {
  box: RefObject<HTMLTextAreaElement | null>;
  isComposing: RefObject<boolean>;
  isReadOnly: boolean;
}) {
  useImperativeHandle(field, () => textBoxField(box.current!), [box]);
  return (
    <textarea
      ref={box}
      {...attributes}
      placeholder={placeholder}
      dir="auto"
      rows={2}
      readOnly={isReadOnly}
      value={value.text}
      onChange={(event) => onChange({ text: event.target.value, html: null })}
      onKeyDown={({ nativeEvent }) => void onKeyDown(nativeEvent)}
      onSelect={onSelect}
      onCompositionStart={() => (isComposing.current = true)}
      onCompositionEnd={() => (isComposing.current = false)}
      className={`${className} block resize-none field-sizing-content placeholder:text-muted`}
    />
  );
}

function EditorBox({
  create,
  caret,
  ...props
}: RichTextFieldProps & {
  create: typeof import('./editor.ts').createEditor;
  /** Where the caret was in the text box; null if that did not have the focus. */
  caret: RefObject<number | null>;
}) {
  const { field, value, placeholder, className } = props;
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<RichEditor>(null);
  const shown = useRef(value);
  const latest = useRef(props);
  latest.current = props;
  useLayoutEffect(() => {
    const now = () => latest.current.images!;
    const imagesNow: EditorImages = {
      pathOf: (file) => now().pathOf(file),
      isOwn: (file) => now().isOwn(file),
      upload: (images) => now().upload(images),
    };
    const created = create(place.current!, latest.current.value, {
      attributes: () => ({
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-placeholder': latest.current.placeholder,
        ...latest.current.attributes,
        class: `${latest.current.className} rich-text rich-text-field`,
      }),
      onChange(next) {
        shown.current = next;
        latest.current.onChange(next);
      },
      onKeyDown: (event) => latest.current.onKeyDown(event),
      onSelect: () => latest.current.onSelect?.(),
      images: latest.current.images ? imagesNow : null,
    });
    editor.current = created;
    field.current = created.field;
    shown.current = latest.current.value;
    latest.current.onEditor(created);
    if (caret.current !== null) {
      created.moveTo(caret.current, shown.current.text);
      created.field.focus();
      caret.current = null;
    }
    return () => {
      field.current = null;
      latest.current.onEditor(null);
      created.destroy();
    };
  }, [create, field, caret]);
  useLayoutEffect(() => {
    if (value.text === shown.current.text && value.html === shown.current.html) return;
    shown.current = value;
    editor.current?.replace(value);
  }, [value.text, value.html, value]);
  const attributes = JSON.stringify([props.attributes, className, placeholder]);
  useLayoutEffect(() => editor.current?.updateAttributes(), [attributes]);
  return (
    <div className="relative flex flex-1 flex-col">
      {value.text === '' && value.html === null && (
        <p aria-hidden="true" className="pointer-events-none absolute inset-x-3 top-1.5 truncate text-muted">
          {placeholder}
        </p>
      )}
      <div ref={place} className="contents" />
    </div>
  );
}
