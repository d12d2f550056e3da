/*
 * The records that contain a word, as stored: their numbers (`search_number`), ascending. A list is its length, the
 * first number and the differences to the next ones, each as a variable-length integer of seven bits per byte. So lists can be
 * concatenated, and most numbers take one byte.
 */

/** Returns ascending, distinct numbers as bytes; no bytes for none. */
export function encodePostings(numbers: readonly number[]): Buffer {
  if (numbers.length === 0) return Buffer.alloc(0);
  const bytes = Buffer.allocUnsafe(5 * (numbers.length + 1));
  let end = writeVarint(bytes, 0, numbers.length);
  let previous = 0;
  for (const number of numbers) {
    end = writeVarint(bytes, end, number - previous);
    previous = number;
  }
  return Buffer.from(bytes.subarray(0, end));
}

/** Calls the function with each number of concatenated lists. */
export function forEachPosting(bytes: Uint8Array, visit: (number: number) => void): void {
  let at = 0;
  const next = () => {
    let value = 0;
    let shift = 0;
    let byte: number;
    do {
      byte = bytes[at++]!;
      value |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte & 0x80);
    return value;
  };
  while (at < bytes.length) {
    let number = 0;
    for (let left = next(); left > 0; left--) {
      number += next();
      visit(number);
    }
  }
}

/** Returns the numbers of concatenated lists: ascending and distinct. */
export function decodePostings(bytes: Uint8Array): number[] {
  const numbers = new Set<number>();
  forEachPosting(bytes, (number) => void numbers.add(number));
  return [...numbers].sort((a, b) => a - b);
}

function writeVarint(bytes: Buffer, start: number, value: number): number {
  let at = start;
  let rest = value;
  while (rest > 0x7f) {
    bytes[at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  bytes[at++] = rest;
  return at;
}
