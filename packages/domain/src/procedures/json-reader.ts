/** The thread that parses large JSON for `read-json.ts`. */
import { createHash } from 'node:crypto';
import { serveTasks } from '../platform/serve-tasks.ts';
import type { JsonResult } from './read-json.ts';

/** More than any input needs. Copying the parsed values from the thread blocks the event loop. */
const MAX_VALUES = 20_000;
const MAX_DEPTH = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function parseJson(parts: readonly Uint8Array[]): JsonResult {
  const bytes = Buffer.concat(parts);
  const excess = excessOf(bytes);
  if (excess) return { error: excess };
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return { value, digest: createHash('sha256').update(bytes).digest() };
  } catch {
    return { error: 'must be valid JSON' };
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

serveTasks(parseJson);
