import { decodeText } from './charsets.ts';
import { decodeBase64, decodeQuotedPrintable } from './transfer-encoding.ts';

const WORD = /=\?([^?\s]{1,60})\?([bq])\?([^?]*)\?=/gi;

/** Adjacent encoded words of one charset. */
interface Words {
  charset: string;
  /** The encoded texts, those of the same encoding joined: senders divide base64 anywhere. */
  encoded: { isBase64: boolean; text: string[] }[];
}

/**
 * Decodes the encoded words of a header (RFC 2047). The bytes of adjacent words of one charset are joined before they are decoded,
 * because senders divide characters between words.
 */
export function decodeWords(text: string): string {
  if (!text.includes('=?')) return text;
  const decoded: (string | Words)[] = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    const [all, name, encoding, encoded] = match;
    const between = text.slice(end, match.index);
    const last = decoded.at(-1);
    const charset = name!.toLowerCase();
    const isBase64 = /b/i.test(encoding!);
    end = match.index + all.length;
    // White space between two words is not shown (§6.2).
    const isAdjacent = typeof last === 'object' && between.trim() === '';
    if (!isAdjacent) decoded.push(between);
    if (!isAdjacent || last.charset !== charset) {
      decoded.push({ charset, encoded: [{ isBase64, text: [encoded!] }] });
    } else if (last.encoded.at(-1)!.isBase64 === isBase64) last.encoded.at(-1)!.text.push(encoded!);
    else last.encoded.push({ isBase64, text: [encoded!] });
  }
  decoded.push(text.slice(end));
  return decoded
    .map((part) => (typeof part === 'string' ? part : decodeText(bytesOf(part), part.charset)))
    .join('');
}

function bytesOf({ encoded }: Words): Buffer {
  return Buffer.concat(
    encoded.map(({ isBase64, text }) =>
      isBase64
        ? decodeBase64(Buffer.from(text.join('')))
        : decodeQuotedPrintable(Buffer.from(text.join('').replaceAll('_', ' '))),
    ),
  );
}
