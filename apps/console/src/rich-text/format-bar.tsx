import { Bold, Code, ImageIcon, Italic, Link, List, ListOrdered, Quote } from 'lucide-react';
import { type KeyboardEvent, useRef, useState, useSyncExternalStore } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import type { Format, RichEditor } from './editor.ts';

const formats: readonly { format: Format; label: string; keys?: string; Icon: typeof Bold }[] = [
  { format: 'bold', label: 'Bold', keys: 'mod+b', Icon: Bold },
  { format: 'italic', label: 'Italic', keys: 'mod+i', Icon: Italic },
  { format: 'bulletList', label: 'List', Icon: List },
  { format: 'orderedList', label: 'Numbered list', Icon: ListOrdered },
  { format: 'blockquote', label: 'Quote', Icon: Quote },
  { format: 'code', label: 'Code', Icon: Code },
];

/** The buttons that format a text. */
export function FormatBar({ editor, hasImages = false }: { editor: RichEditor; hasImages?: boolean }) {
  const images = useRef<HTMLInputElement>(null);
  const [isLinking, setLinking] = useState(false);
  const address = useRef<HTMLInputElement>(null);
  const active = useSyncExternalStore(editor.subscribe, editor.activeFormats).split(' ');
  const link = () => {
    const typed = address.current!.value.trim();
    editor.link(typed === '' || /^(?:https?:|mailto:)/i.test(typed) ? typed : `https://${typed}`);
    setLinking(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // A form around the editor is not sent, and the page behind it handles neither.
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') return link();
    setLinking(false);
    editor.field.focus();
  };
  return (
    <div role="toolbar" aria-label="Formatting" className="flex flex-wrap items-center gap-0.5 px-2 pb-1">
      {formats.map(({ format, label, keys, Icon }) => (
        <IconButton
          icon={Icon}
          key={format}
          label={label}
          {...(keys && { keys })}
          aria-pressed={active.includes(format)}
          className="aria-pressed:bg-selected aria-pressed:text-text"
          onClick={() => editor.format(format)}
        />
      ))}
      <IconButton icon={Link} label="Link" aria-expanded={isLinking} onClick={() => setLinking(!isLinking)} />
      {hasImages && (
        <>
          <IconButton icon={ImageIcon} label="Image" onClick={() => images.current!.click()} />
          <input
            ref={images}
            type="file"
            accept="image/png,image/jpeg,image/gif,image/webp"
            multiple
            hidden
            aria-label="Images for the text"
            onChange={({ target }) => {
              editor.insertImages([...(target.files ?? [])]);
              target.value = '';
              editor.field.focus();
            }}
          />
        </>
      )}
      {isLinking && (
        <span className="flex min-w-0 flex-1 items-center gap-1">
          <input
            ref={address}
            onKeyDown={onKeyDown}
            // The field was asked for.
            // biome-ignore lint/a11y/noAutofocus: it opens by a button
            autoFocus
            aria-label="Address of the link"
            placeholder="https://"
            className="h-8 min-w-0 flex-1 rounded-md border border-line-strong bg-surface px-2"
          />
          <Button onClick={link}>Add link</Button>
        </span>
      )}
    </div>
  );
}
