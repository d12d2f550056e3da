/**
 * Finds the records of a document of the form `{ "name": [record, …], … }` in a stream of bytes, without parsing the
 * records. The structure of JSON is ASCII, and no byte of a multi-byte UTF-8 character is.
 */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** A syntax error. `offset` is the byte at which it was detected. */
export class JsonListsError extends Error {
  override name = 'JsonListsError';
  readonly offset: number;
  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** Callbacks of the scanner. */
export interface ListsVisitor {
  /** A list begins; its first record is at or after `offset`. */
  list(name: string, offset: number): void;
  /** A member of the document is not a list. */
  other(name: string): void;
  record(bytes: Buffer): void;
  /** The list ends; `offset` is after its `]`. */
  listEnd(offset: number): void;
}

type Expected =
  | 'an object'
  | 'a name or }'
  | 'a name'
  | 'a colon'
  | 'a value'
  | 'a comma or }'
  | 'a record or ]'
  | 'a record'
  | 'a comma or ]'
  | 'the end of the file';

/** Scans a document that is pushed in pieces of any size. */
export class ListsScanner {
  readonly #visitor: ListsVisitor;
  readonly #maxValueBytes: number;
  #expected: Expected;
  #offset: number;
  #name = '';
  /** The value that is being read, and the position in it. */
  #value: { role: 'name' | 'record' | 'other'; first: number; depth: number; size: number } | null = null;
  #isInString = false;
  #isEscaped = false;
  #pieces: Buffer[] = [];

  /**
   * @param insideList offset of a list, to read only its records; without it, a whole document is read
   * @param maxValueBytes longer records are rejected, because a record is held in memory
   */
  constructor(visitor: ListsVisitor, maxValueBytes: number, insideList?: number) {
    this.#visitor = visitor;
    this.#maxValueBytes = maxValueBytes;
    this.#expected = insideList === undefined ? 'an object' : 'a record or ]';
    this.#offset = insideList ?? 0;
  }

  /** Scans the next bytes. @throws JsonListsError */
  push(bytes: Buffer): void {
    let at = this.#offset === 0 && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
    while (at < bytes.length) {
      if (this.#value) at = this.#readValue(bytes, at);
      else if (isSpace(bytes[at]!)) at++;
      else at = this.#readStructure(bytes, at);
    }
    this.#offset += bytes.length;
  }

  /** Ends the input. @throws JsonListsError when the document is incomplete */
  end(): void {
    if (this.#expected !== 'the end of the file')
      throw new JsonListsError(this.#offset, `expected ${this.#expected}, but the file ends`);
  }

  #readStructure(bytes: Buffer, at: number): number {
    const byte = bytes[at]!;
    switch (this.#expected) {
      case 'an object':
        if (byte !== OBJECT) break;
        return this.#expect('a name or }', at + 1);
      case 'a name or }':
        if (byte === OBJECT_END) return this.#expect('the end of the file', at + 1);
        if (byte !== QUOTE) break;
        return this.#begin('name', byte, at);
      case 'a name':
        if (byte !== QUOTE) break;
        return this.#begin('name', byte, at);
      case 'a colon':
        if (byte !== COLON) break;
        return this.#expect('a value', at + 1);
      case 'a value':
        if (byte === LIST) {
          this.#visitor.list(this.#name, this.#offset + at + 1);
          return this.#expect('a record or ]', at + 1);
        }
        if (isMark(byte)) break;
        this.#visitor.other(this.#name);
        return this.#begin('other', byte, at);
      case 'a comma or }':
        if (byte === COMMA) return this.#expect('a name', at + 1);
        if (byte !== OBJECT_END) break;
        return this.#expect('the end of the file', at + 1);
      case 'a record or ]':
        if (byte === LIST_END) return this.#endList(at);
        if (isMark(byte)) break;
        return this.#begin('record', byte, at);
      case 'a record':
        if (isMark(byte)) break;
        return this.#begin('record', byte, at);
      case 'a comma or ]':
        if (byte === COMMA) return this.#expect('a record', at + 1);
        if (byte !== LIST_END) break;
        return this.#endList(at);
    }
    throw new JsonListsError(
      this.#offset + at,
      `expected ${this.#expected}, found ${JSON.stringify(String.fromCharCode(byte))}`,
    );
  }

  #expect(expected: Expected, next: number): number {
    this.#expected = expected;
    return next;
  }

  #endList(at: number): number {
    this.#visitor.listEnd(this.#offset + at + 1);
    return this.#expect('a comma or }', at + 1);
  }

  #begin(role: 'name' | 'record' | 'other', first: number, at: number): number {
    this.#value = { role, first, depth: 0, size: 0 };
    return at;
  }

  /** Continues in the value; returns its end, or the end of the bytes. */
  #readValue(bytes: Buffer, from: number): number {
    const value = this.#value!;
    const isBare = value.first !== QUOTE && value.first !== OBJECT && value.first !== LIST;
    let at = from;
    for (; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) {
          this.#isInString = false;
          if (value.depth === 0) return this.#endValue(bytes, from, at + 1);
        }
      } else if (isBare) {
        if (isSpace(byte) || isMark(byte)) return this.#endValue(bytes, from, at);
      } else if (byte === QUOTE) this.#isInString = true;
      else if (byte === OBJECT || byte === LIST) value.depth++;
      else if (byte === OBJECT_END || byte === LIST_END) {
        value.depth--;
        if (value.depth === 0) return this.#endValue(bytes, from, at + 1);
      }
    }
    this.#append(bytes.subarray(from));
    return at;
  }

  #endValue(bytes: Buffer, from: number, to: number): number {
    const { role } = this.#value!;
    this.#append(bytes.subarray(from, to));
    const whole = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#value = null;
    if (role === 'record') {
      this.#expected = 'a comma or ]';
      this.#visitor.record(whole);
    } else if (role === 'other') this.#expected = 'a comma or }';
    else {
      this.#expected = 'a colon';
      this.#name = parseName(whole, this.#offset + to);
    }
    return to;
  }

  #append(bytes: Buffer): void {
    const value = this.#value!;
    value.size += bytes.length;
    if (value.size > this.#maxValueBytes)
      throw new JsonListsError(this.#offset, `a record must have at most ${this.#maxValueBytes} bytes`);
    if (value.role !== 'other') this.#pieces.push(bytes);
  }
}

function parseName(bytes: Buffer, end: number): string {
  try {
    return JSON.parse(bytes.toString()) as string;
  } catch {
    throw new JsonListsError(end - bytes.length, 'expected a valid string');
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Returns whether a byte is a comma, colon or closing bracket: it cannot begin a value, and it ends a number or literal. */
function isMark(byte: number): boolean {
  return byte === COMMA || byte === COLON || byte === LIST_END || byte === OBJECT_END;
}
