/** The size of the first chunk. Each of the next ones is twice as long as the one before it, up to a limit. */
const FIRST_CHUNK_BYTES = 16_384;
const CHUNK_BYTES = 262_144;
/** A loop copies fewer bytes than these in less time than `set`. */
const FEW_BYTES = 24;

const SPACE = ' '.charCodeAt(0);
const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);

/**
 * A long JSON text under construction, in UTF-8. Writing into chunks takes less than half the time of joining strings of
 * megabytes and encoding the result, and full chunks can be processed while others are written.
 */
export class JsonChunks {
  #full: Buffer[] = [];
  #chunk = Buffer.allocUnsafe(FIRST_CHUNK_BYTES);
  #length = 0;
  #marked = 0;
  #fullAtMark = 0;

  /** Appends a text of ASCII characters. */
  ascii(text: string): void {
    this.#reserve(text.length);
    this.#length += this.#chunk.write(text, this.#length, 'latin1');
  }

  text(text: string): void {
    // A UTF-16 unit takes at most three bytes.
    this.#reserve(3 * text.length);
    this.#length += this.#chunk.write(text, this.#length);
  }

  bytes(bytes: Uint8Array): void {
    if (bytes.length < FEW_BYTES) {
      this.copy(bytes, 0, bytes.length);
      return;
    }
    this.#reserve(bytes.length);
    this.#chunk.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Appends a part of `bytes`. */
  copy(bytes: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start);
    const chunk = this.#chunk;
    let length = this.#length;
    for (let at = start; at < end; at++) chunk[length++] = bytes[at]!;
    this.#length = length;
  }

  /** Appends a part of `bytes`, which is a text in UTF-8, as a JSON string. */
  string(bytes: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start + 2);
    let chunk = this.#chunk;
    let length = this.#length;
    chunk[length++] = QUOTE;
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      if (byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH) {
        chunk[length++] = byte;
        continue;
      }
      this.#length = length;
      const escaped = JSON.stringify(String.fromCharCode(byte)).slice(1, -1);
      this.#reserve(escaped.length + end - at);
      chunk = this.#chunk;
      length = this.#length + chunk.write(escaped, this.#length, 'latin1');
    }
    chunk[length++] = QUOTE;
    this.#length = length;
  }

  /** Marks the end of what has been appended, until the next mark or {@link takeFull}. */
  mark(): void {
    this.#marked = this.#length;
    this.#fullAtMark = this.#full.length;
  }

  /** Returns the bytes appended since the mark. */
  sinceMark(): Buffer {
    if (this.#full.length === this.#fullAtMark) return this.#chunk.subarray(this.#marked, this.#length);
    const [first, ...others] = this.#full.slice(this.#fullAtMark);
    return Buffer.concat([first!.subarray(this.#marked), ...others, this.#chunk.subarray(0, this.#length)]);
  }

  get hasFull(): boolean {
    return this.#full.length > 0;
  }

  /** Returns the full chunks that it has not returned before. */
  takeFull(): Buffer[] {
    const full = this.#full;
    this.#full = [];
    return full;
  }

  /** Returns the chunks that it has not returned before. Nothing may be appended afterwards. */
  end(): Buffer[] {
    return [...this.takeFull(), this.#chunk.subarray(0, this.#length)];
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#chunk.length) return;
    this.#full.push(this.#chunk.subarray(0, this.#length));
    this.#chunk = Buffer.allocUnsafe(Math.max(Math.min(2 * this.#chunk.length, CHUNK_BYTES), bytes));
    this.#length = 0;
  }
}
