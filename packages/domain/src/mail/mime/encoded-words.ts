import { decodeText } from './charsets.ts';
import { decodeBase64, decodeQuotedPrintable } from './transfer-encoding.ts';

const WORD = /=\?([^?\s]{1,60})\?([bq])\?([^?]*)\?=/gi;

interface Word {
  charset: string;
  bytes: Buffer[];
}

/**
 * Decodes the encoded words of a header (RFC 2047). The bytes of adjacent words of one charset are joined before they are decoded,
 * because senders split characters between words.
 */
export function decodeWords(text: string): string {
  if (!text.includes('=?')) return text;
  const decoded: (string | Word)[] = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    const [all, charset, encoding, encoded] = match;
    const between = text.slice(end, match.index);
    const last = decoded.at(-1);
    const bytes = bytesOf(encoding!, encoded!);
    end = match.index + all.length;
    // White space between two words is not shown (§6.2).
    const isAdjacent = typeof last === 'object' && between.trim() === '';
    if (isAdjacent && last.charset.toLowerCase() === charset!.toLowerCase()) {
      last.bytes.push(bytes);
      continue;
    }
    if (!isAdjacent) decoded.push(between);
    decoded.push({ charset: charset!, bytes: [bytes] });
  }
  decoded.push(text.slice(end));
  return decoded
    .map((part) => (typeof part === 'string' ? part : decodeText(Buffer.concat(part.bytes), part.charset)))
    .join('');
}

function bytesOf(encoding: string, encoded: string): Buffer {
  const raw = Buffer.from(encoded, 'utf8');
  return /b/i.test(encoding)
    ? decodeBase64(raw)
    : decodeQuotedPrintable(Buffer.from(encoded.replaceAll('_', ' '), 'utf8'));
}
