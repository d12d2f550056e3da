/** More than any input needs. */
const MAX_VALUES = 20_000;
/** Deeper values would exhaust the stack of functions that walk them. */
const MAX_DEPTH = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** JSON that is not accepted. The message says what it must be, and is read after "The body". */
export class UnreadableJsonError extends Error {}

/** Parses JSON in UTF-8 (RFC 8259 §8.1). Limits the number of values and their depth. Throws {@link UnreadableJsonError}. */
export function parseJson(bytes: Uint8Array): unknown {
  const excess = excessOf(bytes);
  if (excess) throw new UnreadableJsonError(excess);
  const text = decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableJsonError('must be valid JSON');
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new UnreadableJsonError('must be UTF-8');
  }
}

/** Returns the limit that JSON exceeds, before parsing takes memory; null for valid JSON within the limits. */
function excessOf(bytes: Uint8Array): string | null {
  let values = 1;
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfString(bytes, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > MAX_DEPTH) return `must be nested at most ${MAX_DEPTH} levels deep`;
        values++;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
      case 0x2c: // ,
        values++;
        break;
    }
    if (values > MAX_VALUES) return `must have at most ${MAX_VALUES} values`;
  }
  return null;
}

/** Returns the index of the closing quote of the string that begins at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  return bytes.length;
}
