import { decodeText } from './charsets.ts';
import { decodeWords } from './encoded-words.ts';

/** A section of a parameter (RFC 2231 §3). `isEncoded`: it has percent escapes. */
interface Section {
  index: number;
  isEncoded: boolean;
  value: string;
}

const MAX_SECTIONS = 1_000;
/** What follows the name: `*`, `*0` or `*0*`. */
const SECTION = /^\*(?:(\d{1,4})(\*)?)?$/;

/**
 * Reads a parameter of a header such as `Content-Disposition` (RFC 2045 §5.1, RFC 2231), also with encoded words in it, without quotation
 * marks around blanks, or with a path of Windows. Returns null if it is missing or empty.
 */
export function readParameter(header: string, name: string): string | null {
  const plain: string[] = [];
  const sections: Section[] = [];
  for (const [key, value] of parametersOf(header)) {
    if (key === name) plain.push(value);
    const section = key.startsWith(`${name}*`) ? SECTION.exec(key.slice(name.length)) : null;
    if (section && sections.length < MAX_SECTIONS) {
      const [, index, star] = section;
      sections.push({ index: Number(index ?? 0), isEncoded: index === undefined || star === '*', value });
    }
  }
  const text = sections.length > 0 ? joinSections(sections) : decodeWords(plain[0] ?? '');
  return text.trim() === '' ? null : text;
}

/** The first section can begin with the charset and the language: `utf-8'de'…`. */
function joinSections(sections: Section[]): string {
  const ordered = sections.sort((one, other) => one.index - other.index);
  const first = ordered[0]!;
  const [, charset = null, rest = first.value] = first.isEncoded
    ? (/^([^']{0,60})'[^']{0,60}'(.*)$/s.exec(first.value) ?? [])
    : [];
  const bytes = ordered.map(({ isEncoded, value }, index) => {
    const text = index === 0 ? rest : value;
    return isEncoded ? percentDecoded(text) : Buffer.from(text);
  });
  return decodeText(Buffer.concat(bytes), charset);
}

function percentDecoded(text: string): Buffer {
  const bytes = Buffer.from(text).toString('latin1');
  const decoded = bytes.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}

/** Returns the parameters after the value of a header, names in lower case. */
function parametersOf(header: string): [string, string][] {
  const parameters: [string, string][] = [];
  let text = '';
  let isQuoted = false;
  const end = () => {
    const equals = text.indexOf('=');
    if (equals > 0) {
      parameters.push([text.slice(0, equals).trim().toLowerCase(), text.slice(equals + 1).trim()]);
    }
    text = '';
  };
  for (let at = 0; at < header.length; at++) {
    const char = header[at]!;
    const next = header[at + 1];
    if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted && char === '\\' && (next === '"' || next === '\\')) text += header[++at];
    else if (char === ';' && !isQuoted) end();
    else text += char;
  }
  end();
  return parameters;
}
