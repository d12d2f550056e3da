const EQUALS = 0x3d;
const LF = 0x0a;
const CR = 0x0d;

/** Decodes the bytes of a part by its `Content-Transfer-Encoding` (RFC 2045 §6). Bytes of another encoding are returned as they are. */
export function decodeTransferEncoding(bytes: Buffer, header: string): Buffer {
  // The header can have comments and, wrongly, quotation marks or parameters.
  const [encoding] = /[\w-]+/.exec(header.replace(/\([^()]*\)/g, '')) ?? [''];
  if (/^base-?64$/i.test(encoding)) return decodeBase64(bytes);
  if (/^quoted-?printable$/i.test(encoding)) return decodeQuotedPrintable(bytes);
  return bytes;
}

/** Characters that are none of base64, and blanks between words. */
const FOREIGN = /[^A-Za-z0-9+/=\s]|[^\s=][ \t]+(?=\S)/g;

/** What a content is, is decided by this many characters. */
const SAMPLE = 65_536;

/** Skips characters that are not base64. Text after the padding, such as the footer of a mailing list, is kept as it is. */
export function decodeBase64(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  const padding = text.indexOf('=');
  const encoded = padding < 0 ? text : text.slice(0, padding);
  const rest = padding < 0 ? '' : text.slice(padding);
  const sample = encoded.slice(0, SAMPLE);
  // A text that was declared as base64.
  if ((sample.match(FOREIGN)?.length ?? 0) * 10 > sample.length) return bytes;
  const first = Buffer.from(encoded, 'base64');
  if (!/[A-Za-z0-9]/.test(rest)) return first;
  if (rest.search(FOREIGN) >= 0) {
    return Buffer.concat([first, Buffer.from(`\n${rest.replace(/^[=\s]+/, '')}`, 'latin1')]);
  }
  // Several encoded texts, one after another.
  return Buffer.concat([first, ...rest.split(/=+/).map((unit) => Buffer.from(unit, 'base64'))]);
}

/** What is no valid escape sequence stays as it is. Blanks after the `=` at the end of a line were added on the way (RFC 2045 §6.7). */
export function decodeQuotedPrintable(bytes: Buffer): Buffer {
  const decoded = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte !== EQUALS) {
      decoded[length++] = byte;
      continue;
    }
    const high = hexValue(bytes[at + 1]);
    const low = hexValue(bytes[at + 2]);
    if (high >= 0 && low >= 0) {
      decoded[length++] = high * 16 + low;
      at += 2;
      continue;
    }
    let end = at + 1;
    while (bytes[end] === 0x20 || bytes[end] === 0x09) end++;
    if (bytes[end] === CR && bytes[end + 1] === LF) end++;
    if (end >= bytes.length || bytes[end] === LF || bytes[end] === CR) at = end;
    else decoded[length++] = byte;
  }
  return decoded.subarray(0, length);
}

function hexValue(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1;
}
