export interface TextPart {
  text: string;
  /** The URL if the part is a link; only `http:` and `https:`. */
  href: string | null;
}

const URL_PATTERN = /https?:\/\/[^\s<>"'`]+/gi;
/** Punctuation that usually follows a URL rather than belongs to it. */
const TRAILING_PUNCTUATION = /(?<![.,;:!?*_)\]}»”’])[.,;:!?*_)\]}»”’]+$/;

/** Splits a text into URLs and the text between them. */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(URL_PATTERN)) {
    const address = withoutTail(found);
    if (!URL.canParse(address)) continue;
    if (index > end) parts.push({ text: text.slice(end, index), href: null });
    parts.push({ text: address, href: address });
    end = index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), href: null });
  return parts;
}

/** Removes trailing punctuation from a URL. Keeps a closing bracket that the URL opened: `https://…/Option_(finance)`. */
function withoutTail(address: string): string {
  const tail = TRAILING_PUNCTUATION.exec(address)?.[0] ?? '';
  const keepsBracket = tail.startsWith(')') && address.includes('(');
  return address.slice(0, address.length - tail.length + (keepsBracket ? 1 : 0));
}
