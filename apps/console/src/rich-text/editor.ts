import { htmlOfPlainText, htmlOfRichText, isFormatted, plainTextOf } from '@firmdesk/contract';
import { Editor } from '@tiptap/core';
import { Markdown } from '@tiptap/markdown';
import { Fragment, type Node, Slice } from '@tiptap/pm/model';
import { TextSelection } from '@tiptap/pm/state';
import StarterKit from '@tiptap/starter-kit';
import type { EditableField, FormattedText } from './editable-field.ts';
import { parseRichText } from './parse-rich-text.ts';

/** What a field shows and does, as it is now. */
export interface EditorBehaviour {
  attributes(): Record<string, string>;
  onChange(text: FormattedText): void;
  /** Returns whether it has handled a key. */
  onKeyDown(event: KeyboardEvent): boolean;
  onSelect(): void;
}

/** A paragraph that begins like a list, a quote or code, and marks and links within a line, as Markdown writes them. */
const MARKDOWN = /^ {0,3}(?:[-*+] |\d{1,9}[.)] |> |```)|\*\*[^\s*]|\]\(https?:|`[^`\n]+`/m;

/** Creates the editor in an element. Nothing outside of this module knows its library. */
export function createEditor(element: HTMLElement, shown: FormattedText, behaviour: EditorBehaviour) {
  const editor = new Editor({
    element,
    // Its styles are in ours: the page allows no others.
    injectCSS: false,
    content: htmlOf(shown),
    parseOptions: { preserveWhitespace: 'full' },
    extensions: [
      StarterKit.configure({
        heading: false,
        horizontalRule: false,
        underline: false,
        dropcursor: false,
        gapcursor: false,
        trailingNode: false,
        paragraph: { HTMLAttributes: { dir: 'auto' } },
        link: {
          autolink: false,
          linkOnPaste: false,
          openOnClick: false,
          protocols: ['http', 'https', 'mailto'],
        },
      }),
      Markdown,
    ],
    editorProps: {
      attributes: () => behaviour.attributes(),
      handleKeyDown: (_view, event) => behaviour.onKeyDown(event),
      handlePaste(_view, event) {
        const data = event.clipboardData;
        const text = data?.getData('text/plain') ?? '';
        if (!data || data.types.includes('text/html') || !MARKDOWN.test(text)) return false;
        return editor.commands.insertContent(text, { contentType: 'markdown' });
      },
      // A text is pasted with its lines as paragraphs, as it is typed.
      clipboardTextParser: (text) => sliceOf(text),
    },
    onUpdate: () => behaviour.onChange(read()),
    onSelectionUpdate: () => behaviour.onSelect(),
  });
  const { view } = editor;
  const read = (): FormattedText => {
    const nodes = parseRichText(editor.getHTML());
    return { text: plainTextOf(nodes), html: isFormatted(nodes) ? htmlOfRichText(nodes) : null };
  };
  const sliceOf = (text: string) => {
    const { paragraph } = editor.schema.nodes;
    const lines = text.split(/\r\n|\r|\n/);
    const paragraphs = lines.map((line) =>
      paragraph!.create(null, line === '' ? null : editor.schema.text(line)),
    );
    return new Slice(Fragment.from(paragraphs), 1, 1);
  };
  const select = (from: number, to = from) =>
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, from, to)));

  const field: EditableField = {
    element: view.dom,
    focus: () => view.focus(),
    beforeCaret() {
      const { empty, $from } = view.state.selection;
      return empty ? $from.parent.textBetween(0, $from.parentOffset, '\n', '\n') : null;
    },
    replaceBeforeCaret(length, text) {
      const { from } = view.state.selection;
      view.dispatch(view.state.tr.insertText(text, from - length, from));
      view.focus();
    },
    moveTo: (place) =>
      view.dispatch(
        view.state.tr.setSelection(
          place === 'start' ? TextSelection.atStart(view.state.doc) : TextSelection.atEnd(view.state.doc),
        ),
      ),
    insert(text, selected) {
      const start = view.state.selection.from;
      view.dispatch(view.state.tr.replaceSelection(sliceOf(text)).scrollIntoView());
      const found = selected === null ? null : find(view.state.doc, selected, start);
      if (found !== null) select(found, found + selected!.length);
      view.focus();
    },
  };
  const isActive: Record<Format, () => boolean> = {
    bold: () => editor.isActive('bold'),
    italic: () => editor.isActive('italic'),
    bulletList: () => editor.isActive('bulletList'),
    orderedList: () => editor.isActive('orderedList'),
    blockquote: () => editor.isActive('blockquote'),
    code: () => editor.isActive('code') || editor.isActive('codeBlock'),
  };
  return {
    field,
    /** Returns the formats of the selection, separated by spaces. */
    activeFormats: () =>
      Object.entries(isActive)
        .flatMap(([format, is]) => (is() ? format : []))
        .join(' '),
    /** Calls the listener after each change, until the returned function is called. */
    subscribe(listener: () => void) {
      editor.on('transaction', listener);
      return () => void editor.off('transaction', listener);
    },
    /** Replaces the text, without moving a caret that is inside of it. */
    replace(next: FormattedText) {
      const { from, to } = view.state.selection;
      const wasAtEnd = to >= view.state.doc.content.size - 1;
      editor.commands.setContent(htmlOf(next), {
        emitUpdate: false,
        parseOptions: { preserveWhitespace: 'full' },
      });
      const end = TextSelection.atEnd(view.state.doc).to;
      if (wasAtEnd) field.moveTo('end');
      else select(Math.min(from, end), Math.min(to, end));
    },
    /** Puts the caret where it is in the same text in a text box. */
    moveTo(offset: number, text: string) {
      const line = text.slice(0, offset).split('\n').length - 1;
      select(Math.min(1 + offset + line, TextSelection.atEnd(view.state.doc).to));
    },
    /** Tells the browser the attributes that have changed. */
    updateAttributes: () => view.setProps({}),
    format(format: Format) {
      // At once: the library's own command waits for a frame, and keys would go to the button until then.
      view.focus();
      const chain = editor.chain();
      const run = {
        bold: () => chain.toggleBold(),
        italic: () => chain.toggleItalic(),
        bulletList: () => chain.toggleBulletList(),
        orderedList: () => chain.toggleOrderedList(),
        blockquote: () => chain.toggleBlockquote(),
        code: () => (view.state.selection.empty ? chain.toggleCodeBlock() : chain.toggleCode()),
      }[format];
      run().run();
    },
    /** Links the selected text, or inserts the address; an empty one removes the link. */
    link(href: string) {
      view.focus();
      const chain = editor.chain();
      if (href === '') chain.extendMarkRange('link').unsetLink().run();
      else if (view.state.selection.empty)
        chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run();
      else chain.setLink({ href }).run();
    },
    destroy: () => editor.destroy(),
  };
}

export type RichEditor = ReturnType<typeof createEditor>;
export type Format = 'bold' | 'italic' | 'bulletList' | 'orderedList' | 'blockquote' | 'code';

function htmlOf({ text, html }: FormattedText): string {
  return html ?? htmlOfPlainText(text);
}

/** Returns where a text begins, from a position on; null if it is not there. */
function find(doc: Node, text: string, from: number): number | null {
  let found: number | null = null;
  doc.nodesBetween(from, doc.content.size, (node, position) => {
    const at = node.isText ? node.text!.indexOf(text, Math.max(0, from - position)) : -1;
    if (found === null && at >= 0) found = position + at;
  });
  return found;
}
