import { forEachPosting } from './postings.ts';

/** The number of bits in each byte. */
const bitCounts = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

/** A set of numbers of one firm's records, with a bit per record: a million take 125 kB. */
export class NumberSet {
  /** The bits in the order of PostgreSQL's `get_bit`: the lowest bit of a byte first. */
  readonly bytes: Buffer;

  /** Creates an empty set of numbers below `size`. */
  constructor(size: number) {
    this.bytes = Buffer.alloc((size >> 3) + 1);
  }

  /** Adds a number. One that is too large belongs to a record that was numbered later, and is ignored. */
  add(number: number): void {
    const at = number >> 3;
    if (at < this.bytes.length) this.bytes[at]! |= 1 << (number & 7);
  }

  addPostings(postings: Uint8Array): void {
    const { bytes } = this;
    forEachPosting(postings, (number) => {
      const at = number >> 3;
      if (at < bytes.length) bytes[at]! |= 1 << (number & 7);
    });
  }

  /** Removes the numbers that are not in the other set, which has the same size. */
  intersect({ bytes: others }: NumberSet): void {
    const { bytes } = this;
    for (let at = 0; at < bytes.length; at++) bytes[at]! &= others[at]!;
  }

  get count(): number {
    const { bytes } = this;
    let count = 0;
    for (let at = 0; at < bytes.length; at++) count += bitCounts[bytes[at]!]!;
    return count;
  }

  /** Returns the numbers in ascending order. */
  numbers(): number[] {
    const numbers: number[] = [];
    for (let at = 0; at < this.bytes.length; at++) {
      for (let byte = this.bytes[at]!; byte !== 0; byte &= byte - 1) {
        numbers.push(at * 8 + (31 - Math.clz32(byte & -byte)));
      }
    }
    return numbers;
  }
}
