import { htmlOfPlainText, htmlOfRichText, isFormatted, plainTextOf } from '@firmdesk/contract';
import { Editor, Node as NodeExtension } from '@tiptap/core';
import { Markdown } from '@tiptap/markdown';
import { Fragment, type Node, Slice } from '@tiptap/pm/model';
import { TextSelection } from '@tiptap/pm/state';
import StarterKit from '@tiptap/starter-kit';
import type { EditableField, FormattedText } from './editable-field.ts';
import { fileOfImage, parseRichText } from './parse-rich-text.ts';

/** The images of a text: files that are uploaded with it. */
export interface EditorImages {
  /** The address at which this page shows a file. */
  pathOf(file: string): string;
  /** Whether a file is one of the text's own. */
  isOwn(file: string): boolean;
  /** Begins to upload images, and returns the names by which `showImage` knows them. */
  upload(images: readonly File[]): readonly string[];
}

/** What a field shows and does, as it is now. */
export interface EditorBehaviour {
  attributes(): Record<string, string>;
  onChange(text: FormattedText): void;
  /** Returns whether it has handled a key. */
  onKeyDown(event: KeyboardEvent): boolean;
  onSelect(): void;
  /** Null for a text without images. */
  images: EditorImages | null;
}

/** Images that browsers show. */
const IMAGE = /^image\/(?:png|jpeg|gif|webp)$/;

/** Marks the change that shows an image with those that were inserted after it. */
const LATER = 'images inserted later';

/** A paragraph that begins like a list, a quote or code, and marks and links within a line, as Markdown writes them. */
const MARKDOWN = /^ {0,3}(?:[-*+] |\d{1,9}[.)] |> |```)|\*\*[^\s*]|\]\(https?:|`[^`\n]+`/m;

/** Creates the editor in an element. Nothing outside of this module knows its library. */
export function createEditor(element: HTMLElement, shown: FormattedText, behaviour: EditorBehaviour) {
  const { images } = behaviour;
  /** The places of images that are being uploaded, by name. */
  const awaited = new Map<string, number>();
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
      ...(images ? [imageNode(images)] : []),
    ],
    editorProps: {
      attributes: () => behaviour.attributes(),
      handleKeyDown: (_view, event) => behaviour.onKeyDown(event),
      handlePaste(_view, event) {
        const data = event.clipboardData;
        // Programs put a picture of copied text beside the text.
        if (data && !data.types.includes('text/plain') && insertImages([...data.files])) return true;
        const text = data?.getData('text/plain') ?? '';
        if (!data || data.types.includes('text/html') || !MARKDOWN.test(text)) return false;
        return editor.commands.insertContent(text, { contentType: 'markdown' });
      },
      handleDrop(view, event, _slice, isMoved) {
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos;
        return !isMoved && insertImages([...(event.dataTransfer?.files ?? [])], at);
      },
      // A text is pasted with its lines as paragraphs, as it is typed.
      clipboardTextParser: (text) => sliceOf(text),
    },
    onUpdate: () => behaviour.onChange(read()),
    onSelectionUpdate: () => behaviour.onSelect(),
    onTransaction({ transaction }) {
      // What is typed at the place of an image stands behind it, and so do the images that were inserted later.
      const later: readonly string[] = transaction.getMeta(LATER) ?? [];
      for (const [name, at] of awaited)
        awaited.set(name, transaction.mapping.map(at, later.includes(name) ? 1 : -1));
    },
  });
  const { view } = editor;
  const read = (): FormattedText => {
    const nodes = parseRichText(editor.getHTML(), images !== null);
    return { text: plainTextOf(nodes), html: isFormatted(nodes) ? htmlOfRichText(nodes) : null };
  };
  /** Uploads images, which are shown when they are stored. Returns whether all files are images that a browser shows. */
  const insertImages = (files: readonly File[], at = view.state.selection.from) => {
    if (!images || files.length === 0 || !files.every(({ type }) => IMAGE.test(type))) return false;
    for (const name of images.upload(files)) awaited.set(name, at);
    return true;
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
    leave() {
      // The editor may not know yet where the last key has put the caret.
      const { anchorNode, anchorOffset, focusNode, focusOffset } = getSelection()!;
      if (view.dom.contains(anchorNode) && view.dom.contains(focusNode))
        select(view.posAtDOM(anchorNode!, anchorOffset), view.posAtDOM(focusNode!, focusOffset));
      view.dom.blur();
    },
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
    insertImages,
    /** Shows an uploaded image where it was inserted. */
    showImage(name: string, file: string, alt: string) {
      const at = awaited.get(name);
      if (at === undefined) return;
      const names = [...awaited.keys()];
      awaited.delete(name);
      const image = editor.schema.nodes['image']!.create({ file, alt });
      const { tr } = view.state;
      view.dispatch(tr.replaceRangeWith(at, at, image).setMeta(LATER, names.slice(names.indexOf(name) + 1)));
    },
    destroy: () => editor.destroy(),
  };
}

export type RichEditor = ReturnType<typeof createEditor>;
export type Format = 'bold' | 'italic' | 'bulletList' | 'orderedList' | 'blockquote' | 'code';

/** An image in a line of the text. Outside of the page it has no address, so that nothing is loaded from one. */
function imageNode({ pathOf, isOwn }: EditorImages) {
  return NodeExtension.create({
    name: 'image',
    group: 'inline',
    inline: true,
    draggable: true,
    addAttributes: () => ({ file: { default: null }, alt: { default: '' } }),
    parseHTML: () => [
      {
        tag: 'img',
        getAttrs(image) {
          const file = fileOfImage(image);
          return file !== null && isOwn(file) && { file };
        },
      },
    ],
    renderHTML: ({ node: { attrs } }) => ['img', { 'data-file': attrs['file'], alt: attrs['alt'] }],
    addNodeView:
      () =>
      ({ node: { attrs } }) => {
        const dom = document.createElement('img');
        dom.src = pathOf(attrs['file']);
        dom.alt = attrs['alt'];
        return { dom };
      },
  });
}

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
