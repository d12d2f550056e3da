/** White space, and characters without width that no script or emoji needs at the edge of a text. */
const BLANK = /[\s\u00ad\u200b\u2060]/;

/** Removes what surrounds a text that arrives in pieces. */
export class ReplyTrimmer {
  #hasBegun = false;
  /** The blanks at the end so far: a part of the text if more follows. */
  #blanks = '';

  /** Returns the text up to its last character that is not blank, without what was returned before. */
  push(piece: string): string {
    let start = 0;
    if (!this.#hasBegun) while (start < piece.length && BLANK.test(piece[start]!)) start++;
    let end = piece.length;
    while (end > start && BLANK.test(piece[end - 1]!)) end--;
    const text = piece.slice(start, end);
    if (text === '') {
      if (this.#hasBegun) this.#blanks += piece;
      return '';
    }
    const before = this.#blanks;
    this.#hasBegun = true;
    this.#blanks = piece.slice(end);
    return before + text;
  }

  /** The number of UTF-16 units that wait. */
  get waiting(): number {
    return this.#blanks.length;
  }
}
