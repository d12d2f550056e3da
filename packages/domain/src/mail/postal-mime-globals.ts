/**
 * Replaces two globals that postal-mime uses. Only its worker thread imports this module.
 *
 * - `TextDecoder`: the lines of a calendar are joined before they are decoded, because they are folded by octets, also inside a character
 *   (RFC 5545 §3.1). In general, messages often declare a wrong charset. Valid UTF-8 is decoded as UTF-8 if ASCII, Latin-1 or nothing is declared,
 *   or if the declared charset cannot decode it. Bytes that are declared as UTF-8 but invalid are decoded as Windows-1252.
 * - `Blob`: postal-mime joins the lines of a part in a `Blob`, which takes 2 KB of memory per line. `JoinedBytes` takes a
 *   twentieth of that.
 */
const WebDecoder = globalThis.TextDecoder;
type Bytes = NonNullable<Parameters<InstanceType<typeof WebDecoder>['decode']>[0]>;

/** The replacement character of a decoder. */
const REPLACEMENT = '\ufffd';

class MailDecoder extends WebDecoder {
  override decode(given: Bytes): string {
    const bytes = joinCalendarLines(given);
    const isOtherCharset = this.encoding !== 'utf-8' && this.encoding !== 'windows-1252';
    const decoded = isOtherCharset ? super.decode(bytes) : null;
    if (decoded !== null && !decoded.includes(REPLACEMENT)) return decoded;
    try {
      return new WebDecoder('utf-8', { fatal: true, ignoreBOM: this.ignoreBOM }).decode(bytes);
    } catch {
      return decoded ?? new WebDecoder('windows-1252').decode(bytes);
    }
  }
}

/** Returns the bytes of a calendar with its folded lines joined, and other bytes as they are. */
function joinCalendarLines(given: Bytes): Bytes {
  const bytes =
    given instanceof ArrayBuffer
      ? Buffer.from(given)
      : Buffer.from(given.buffer as ArrayBuffer, given.byteOffset, given.byteLength);
  if (!/^\s*BEGIN:VCALENDAR/i.test(bytes.toString('latin1', 0, 100))) return given;
  return Buffer.from(bytes.toString('latin1').replace(/\r?\n[ \t]/g, ''), 'latin1');
}

type Part = string | Uint8Array | ArrayBuffer;

class JoinedBytes {
  readonly #parts: Part[];

  constructor(parts: Part[]) {
    this.#parts = parts;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const size = this.#parts.reduce(
      (sum, part) => sum + (typeof part === 'string' ? Buffer.byteLength(part) : part.byteLength),
      0,
    );
    const joined = Buffer.from(new ArrayBuffer(size));
    let at = 0;
    for (const part of this.#parts) {
      if (typeof part === 'string') at += joined.write(part, at);
      else {
        joined.set(part instanceof ArrayBuffer ? new Uint8Array(part) : part, at);
        at += part.byteLength;
      }
    }
    return joined.buffer;
  }
}

Object.assign(globalThis, { TextDecoder: MailDecoder, Blob: JoinedBytes });
