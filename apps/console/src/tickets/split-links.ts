export interface TextPart {
  text: string;
  /** Where it leads, when it is an address; `http:` and `https:` alone. */
  href: string | null;
}

const ADDRESS = /https?:\/\/[^\s<>"'`]+/gi;
/** What stands after an address more often than in it. */
const AFTER = /[.,;:!?*_)\]}»”’]+$/;

/** A text cut into addresses and what stands between them. */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutTail(found);
    if (!URL.canParse(address)) continue;
    if (index > end) parts.push({ text: text.slice(end, index), href: null });
    parts.push({ text: address, href: address });
    end = index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), href: null });
  return parts;
}

/** A closing bracket belongs to the address that opened it: `https://…/Option_(finance)`. */
function withoutTail(address: string): string {
  const tail = AFTER.exec(address)?.[0] ?? '';
  const keepsBracket = tail.startsWith(')') && address.includes('(');
  return address.slice(0, address.length - tail.length + (keepsBracket ? 1 : 0));
}
