import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { hzToGbk, iso2022Runs } from './iso-2022.ts';

/** Names that mail uses, in the form of {@link normalize}, and the charset that decodes them. */
const ALIASES: Record<string, string> = {
  // As browsers decode them: programs declare the smaller charset of a family and write the larger one.
  ...named('windows1252', 'ascii usascii ansix341968 iso88591 latin1 l1 iso88591windows ibm819 cp819'),
  ...named('windows1254', 'iso88599 latin5'),
  ...named('windows874', 'iso885911 tis620 dos874'),
  ...named('iso88598', 'iso88598i iso88598e hebrew logical visual'),
  ...named('gb18030', 'gb18030 gb2312 gb231280 gbk chinese cp936 936 euccn csgb2312 iso58gb231280'),
  ...named('big5hkscs', 'big5 big5hkscs cp950 950 cnbig5 xxbig5 big5eten'),
  ...named('cp949', 'euckr ksc5601 ksc56011987 ksc56011989 korean uhc 949 windows949 isoir149'),
  ...named(
    'shiftjis',
    'sjis mskanji ms932 windows31j cp932 932 windows932 shiftjis shiftjis2004 shiftjisx0213 macjapanese',
  ),
  ...named('eucjp', 'eucjp eucjpwin eucjpms eucjp2004 eucjisx0213 cp51932 eucpkdfmtjapanese'),
  ...named(
    'iso2022',
    'iso2022jp iso2022jp1 iso2022jp2 iso2022jpms iso2022jpext iso2022jp3 iso2022jp2004 junet jis',
  ),
  ...named('iso2022', 'cp50220 cp50221 cp50222 50220 50221 50222 iso2022kr cp50225'),
  ...named('hz', 'hzgb2312 hz'),
  ...named('utf8', 'utf8 utf8mb4 unicode11utf8 cp65001 65001'),
  ...named('utf7', 'utf7 unicode11utf7 unicode20utf7 cp65000'),
  ...named('utf16', 'utf16 unicode ucs2 iso10646ucs2'),
  ...named('utf16le', 'utf16le unicodefeff'),
  ...named('utf16be', 'utf16be unicodefffe'),
  ...named('utf32', 'utf32 ucs4'),
};

function named(charset: string, aliases: string): Record<string, string> {
  return Object.fromEntries(aliases.split(' ').map((alias) => [alias, charset]));
}

/** Charsets of one byte for each character that only iconv-lite knows. It also knows encodings such as `hex`, which are no charsets. */
const OTHER_NAMES =
  /^(\d{3,4}|(cp|ibm|windows|win|latin|l|iso8859|mac|koi8|georgian)\w+|macintosh|viscii|tcvn|armscii8|rk1048|pt154|hproman8|cesu8|utf32[bl]e|arabic|greek|cyrillic)$/;

/** What a text is, is decided by this many characters. */
const SAMPLE = 65_536;
/** The escapes to Japanese characters. They have no meaning in other text. */
const ISO_2022_JP = ['\x1b$B', '\x1b$@'];
/** In bytes (HTML, "encoding sniffing algorithm"). */
const META_PRESCAN = 1024;
const XML_CHARSET = /^\s{0,99}<\?xml\b[^>]{0,200}?\bencoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})/i;
const META_CHARSET = /<meta\b[^>]{0,300}?\bcharset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})/i;

/**
 * Decodes text of mail. Programs often declare a wrong charset, or none. What cannot be decoded becomes U+FFFD: one character never
 * makes the rest unreadable.
 *
 * 1. A byte order mark decides.
 * 2. A charset that no text can be by chance is used if it is declared: ISO-2022, HZ, UTF-7, UTF-16, UTF-32.
 * 3. Text that is UTF-8, and not only ASCII, is UTF-8, if a charset of Western Europe or nothing is declared, or the declared one fails.
 * 4. Else it is what is declared, in HTML also by `<meta>` or its XML declaration, or Windows-1252.
 */
export function decodeText(bytes: Uint8Array, declared: string | null, isHtml = false): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const marked = markedCharset(buffer);
  if (marked) return iconv.decode(buffer, marked);
  let charset = charsetOf(declared);
  if (isHtml && (charset === null || charset === 'utf8' || /ascii/i.test(declared ?? ''))) {
    const meta = charsetOf(metaCharset(buffer));
    // `<meta>` decides, unless the text is the UTF-8 that its header declares.
    if (meta !== null && !(charset === 'utf8' && isUtf8(buffer)))
      charset = /^utf(7|16)/.test(meta) ? 'utf8' : meta;
  }
  if (charset === 'iso2022' || (isWestern(charset) && hasJapaneseEscape(buffer)))
    return decodeIso2022(buffer);
  if (charset === 'hz') return decode(hzToGbk(buffer), 'gb18030');
  if (charset === 'utf7') return decode(buffer, 'utf7');
  if (charset === 'utf32') return decode(buffer, 'utf32');
  if (charset?.startsWith('utf16')) return decodeUtf16(buffer, charset);
  if (charset === null || charset === 'utf8') return decodeUtf8(buffer);
  if (charset === 'windows1252') return isUtf8(buffer) ? buffer.toString('utf8') : decode(buffer, charset);
  const text = decode(buffer, charset);
  return text.includes('\ufffd') && isUtf8(buffer) ? buffer.toString('utf8') : text;
}

function isWestern(charset: string | null): boolean {
  return charset === null || charset === 'utf8' || charset === 'windows1252';
}

function hasJapaneseEscape(bytes: Buffer): boolean {
  const sample = bytes.subarray(0, SAMPLE);
  return ISO_2022_JP.some((sequence) => sample.includes(sequence));
}

/** Returns the charset that a declared name means, or null if it means none. */
function charsetOf(name: string | null): string | null {
  if (name === null) return null;
  const normal = normalize(name);
  if (Object.hasOwn(ALIASES, normal)) return ALIASES[normal]!;
  return OTHER_NAMES.test(normal) && iconv.encodingExists(normal) ? normal : null;
}

/** Removes what senders add to the name of a charset, such as `x-`, `cs`, a year or a language (RFC 2231 §5). */
function normalize(name: string): string {
  return name
    .slice(0, 80)
    .toLowerCase()
    .split('*')[0]!
    .replace(/:\d{4}$/, '')
    .replace(/^["'\s]*(x-ms-|x-|cs)?/, '')
    .replace(/[^a-z0-9]/g, '');
}

function markedCharset(bytes: Buffer): string | null {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf8';
  if (first === 0xfe && second === 0xff) return 'utf16be';
  return first === 0xff && second === 0xfe ? 'utf16le' : null;
}

function metaCharset(bytes: Buffer): string | null {
  const beginning = bytes.toString('latin1', 0, META_PRESCAN);
  return (META_CHARSET.exec(beginning) ?? XML_CHARSET.exec(beginning))?.[1] ?? null;
}

/** Text of mixed charsets is UTF-8 if most of it is. */
function decodeUtf8(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return text;
  const sample = text.slice(0, SAMPLE);
  const wrong = sample.match(/\ufffd/g)?.length ?? 0;
  const right = sample.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  return right > wrong ? text : decode(bytes, 'windows1252');
}

function decodeIso2022(bytes: Buffer): string {
  const is8Bit = bytes.some((byte) => byte > 0x7f);
  if (is8Bit && isUtf8(bytes)) return bytes.toString('utf8');
  return iso2022Runs(bytes)
    .map(({ charset, bytes }) => decode(Buffer.from(bytes), charset === 'gbk' ? 'gb18030' : charset))
    .join('');
}

/** Without a byte order mark, the zero bytes of ASCII characters tell the order. A text without any is none of UTF-16. */
function decodeUtf16(bytes: Buffer, charset: string): string {
  const sample = bytes.subarray(0, SAMPLE);
  const zeros = [0, 0];
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 2]!++;
  if (zeros[0] === 0 && zeros[1] === 0 && isUtf8(bytes)) return bytes.toString('utf8');
  if (charset !== 'utf16') return decode(bytes, charset);
  return decode(bytes, zeros[0]! > zeros[1]! ? 'utf16be' : 'utf16le');
}

function decode(bytes: Buffer, charset: string): string {
  return iconv.decode(bytes, charset);
}
