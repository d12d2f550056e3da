/** A text with its formatting. */
export interface FormattedText {
  text: string;
  /** In HTML; null without formatting. */
  html: string | null;
}

/** A field for a text: the editor, or a text box until that is loaded. */
export interface EditableField {
  element: HTMLElement;
  focus(): void;
  /** Gives the focus up. The selection stays. */
  leave(): void;
  /** Returns the text before the caret, of its paragraph in the editor; null if a text is selected. */
  beforeCaret(): string | null;
  /** Replaces the characters before the caret by a text, and focuses the field. */
  replaceBeforeCaret(length: number, text: string): void;
  /** Puts the caret before or behind the text. */
  moveTo(place: 'start' | 'end'): void;
  /** Inserts a text at the selection, selects a part of it or puts the caret behind it, and focuses the field. */
  insert(text: string, selected: string | null): void;
}

/** Returns the interface of a text box. */
export function textBoxField(element: HTMLTextAreaElement): EditableField {
  const type = (text: string) => {
    element.focus();
    // The only way to type a text that the browser can undo, and that React notices.
    document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
  };
  return {
    element,
    focus: () => element.focus(),
    leave: () => element.blur(),
    beforeCaret: () =>
      element.selectionStart === element.selectionEnd ? element.value.slice(0, element.selectionStart) : null,
    replaceBeforeCaret(length, text) {
      element.setSelectionRange(element.selectionStart - length, element.selectionStart);
      type(text);
    },
    moveTo(place) {
      const offset = place === 'start' ? 0 : element.value.length;
      element.setSelectionRange(offset, offset);
    },
    insert(text, selected) {
      const start = element.selectionStart;
      type(text);
      if (selected === null) return;
      const at = start + text.indexOf(selected);
      element.setSelectionRange(at, at + selected.length);
    },
  };
}
