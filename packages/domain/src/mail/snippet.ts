const MAX_SNIPPET = 200;
/** Only this much of a body is looked at, in characters. */
const LOOKED_AT = 262_144;
/** And so many of its tags, which take longer than text. */
const MAX_TAGS = 10_000;

/** Their content is nothing that a reader sees. */
const HIDDEN = new Set(['style', 'script', 'title', 'template']);
/** They part no words. */
const INLINE = new Set(
  'a abbr b big code em font i mark s small span strike strong sub sup u wbr'.split(' '),
);

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  zwnj: '',
  shy: '',
};

/** Returns the beginning of what a reader of the HTML sees, on one line, at most 200 characters. Its work is bounded, whatever the HTML. */
export function snippetOf(html: string): string {
  const source = html.slice(0, LOOKED_AT);
  let text = '';
  let at = 0;
  for (let tags = 0; tags < MAX_TAGS && at < source.length && text.length < 4 * MAX_SNIPPET; tags++) {
    const open = source.indexOf('<', at);
    if (open < 0) {
      text += source.slice(at);
      break;
    }
    text += source.slice(at, open);
    const name = /^<(\/?[a-z][a-z0-9]*)/i.exec(source.slice(open, open + 12))?.[1]?.toLowerCase();
    if (name === undefined && !/^<[!?]/.test(source.slice(open, open + 2))) {
      text += '<';
      at = open + 1;
      continue;
    }
    if (name === undefined || !INLINE.has(name.replace('/', ''))) text += ' ';
    const close = endOf(source, open, name);
    if (close < 0) break;
    at = close;
  }
  return onOneLine(decodeEntities(text));
}

/** Where the tag, comment or hidden element that opens here ends; -1 if nowhere. */
function endOf(source: string, open: number, name: string | undefined): number {
  if (source.startsWith('<!--', open)) return after(source, '-->', open);
  const end = after(source, '>', open);
  if (end < 0 || name === undefined || !HIDDEN.has(name)) return end;
  const closing = source.indexOf(`</${name}`, end);
  return closing < 0 ? -1 : after(source, '>', closing);
}

function after(source: string, mark: string, from: number): number {
  const at = source.indexOf(mark, from);
  return at < 0 ? -1 : at + mark.length;
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : '';
  });
}

function onOneLine(text: string): string {
  return text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_SNIPPET)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}
