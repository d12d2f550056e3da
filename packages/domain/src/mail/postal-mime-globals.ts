/**
 * What postal-mime takes from the globals of its thread, made fit for mail from anywhere.
 *
 * - `TextDecoder`: mail lies about its charset. Bytes that are valid UTF-8 are read as UTF-8 where plain ASCII, Latin-1 or
 *   nothing is claimed, and where another charset cannot read them; bytes that are not are read as Windows-1252 where
 *   UTF-8 is claimed.
 * - `Blob`: the parser joins the lines of a part through one, which costs 2 KB a line; joined as bytes they cost a twentieth.
 */
const WebDecoder = globalThis.TextDecoder;
type Bytes = NonNullable<Parameters<InstanceType<typeof WebDecoder>['decode']>[0]>;

/** What a decoder puts where it can make nothing of the bytes. */
const UNREADABLE = '\ufffd';

class MailDecoder extends WebDecoder {
  override decode(bytes: Bytes): string {
    const isOther = this.encoding !== 'utf-8' && this.encoding !== 'windows-1252';
    const claimed = isOther ? super.decode(bytes) : null;
    if (claimed !== null && !claimed.includes(UNREADABLE)) return claimed;
    try {
      return new WebDecoder('utf-8', { fatal: true, ignoreBOM: this.ignoreBOM }).decode(bytes);
    } catch {
      return claimed ?? new WebDecoder('windows-1252').decode(bytes);
    }
  }
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
