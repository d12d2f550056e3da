/**
 * A row as PostgreSQL sends it (PostgreSQL's manual, "Message Formats", DataRow): how many columns it has, and of each its length in
 * bytes and its text in UTF-8. A column is decoded when it is read.
 */
export class DataRow {
  /** `pg` takes messages with this name and `fields` for rows. */
  readonly name = 'dataRow';
  bytes: Buffer = Buffer.alloc(0);
  /** The index of its first byte in `bytes`, and of the first byte after it. */
  start = 0;
  end = 0;

  set(bytes: Buffer, start: number, end: number): this {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    return this;
  }

  /** The texts of its columns. */
  get fields(): (string | null)[] {
    const { bytes, start } = this;
    const fields = new Array<string | null>(bytes.readInt16BE(start));
    let at = start + 2;
    for (let column = 0; column < fields.length; column++) {
      const length = bytes.readInt32BE(at);
      at += 4;
      fields[column] = length < 0 ? null : bytes.toString('utf8', at, at + length);
      at += Math.max(length, 0);
    }
    return fields;
  }
}

const ZERO = '0'.charCodeAt(0);

/** Reads columns of one row at a time, by their index. */
export class ColumnReader {
  /** Contains the columns of the row. */
  bytes: Buffer = Buffer.alloc(0);
  /** Has bit 2^n if column n is null. A row read this way has at most 30 columns. */
  nulls = 0;
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];

  /** Reads this row from now on. */
  open({ bytes, start }: DataRow): this {
    this.bytes = bytes;
    const count = bytes.readInt16BE(start);
    let at = start + 2;
    let nulls = 0;
    for (let column = 0; column < count; column++) {
      const length = bytes.readInt32BE(at);
      at += 4;
      this.#starts[column] = at;
      this.#lengths[column] = length;
      if (length < 0) nulls |= 1 << column;
      else at += length;
    }
    this.nulls = nulls;
    return this;
  }

  isNull(column: number): boolean {
    return this.#lengths[column]! < 0;
  }

  /** Returns the index of the first byte of a column that is not null. */
  startOf(column: number): number {
    return this.#starts[column]!;
  }

  /** Returns how many bytes the text of a column has; 0 if it is null. */
  sizeOf(column: number): number {
    return Math.max(this.#lengths[column]!, 0);
  }

  text(column: number): string | null {
    const start = this.#starts[column]!;
    const length = this.#lengths[column]!;
    return length < 0 ? null : this.bytes.toString('utf8', start, start + length);
  }

  /** Returns a column that is a whole number from 0 to 2^53 - 1. */
  integer(column: number): number {
    const end = this.#starts[column]! + this.#lengths[column]!;
    let value = 0;
    for (let at = this.#starts[column]!; at < end; at++) value = value * 10 + (this.bytes[at]! - ZERO);
    return value;
  }
}
