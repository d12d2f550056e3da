import { Parser } from 'htmlparser2';

const MAX_SNIPPET = 200;
/** Only this many characters of a body are parsed, and in chunks, so that parsing ends when the snippet is full. */
const MAX_SOURCE = 262_144;
const CHUNK = 512;
/** For each end tag the parser searches its stack of open elements, so that its time grows with the square of the tags. */
const MAX_TAGS = 5_000;
/** Invisible characters are dropped later, so more text is collected than the snippet has characters. */
const MAX_TEXT = 4 * MAX_SNIPPET;
const SPACES = /\s+/g;

/** Elements whose content is not shown. */
const HIDDEN = new Set(['style', 'script', 'title', 'template']);
/** Elements that do not separate words. */
const INLINE = new Set(
  'a abbr b big code em font i mark s small span strike strong sub sup u wbr'.split(' '),
);

/**
 * Returns the beginning of the HTML's visible text, on one line, at most 200 characters. The work is limited for any
 * input.
 */
export function snippetOf(html: string): string {
  let text = '';
  let tags = 0;
  let hiddenDepth = 0;
  const add = (piece: string) => {
    const line = piece.replace(SPACES, ' ');
    text += text.endsWith(' ') ? line.trimStart() : line;
  };
  const onTag = (name: string, depth: 1 | -1) => {
    if (HIDDEN.has(name)) hiddenDepth += depth;
    if (!INLINE.has(name)) add(' ');
  };
  const parser = new Parser({
    onopentagname: (name) => {
      tags++;
      onTag(name, 1);
    },
    onclosetag: (name) => onTag(name, -1),
    oncomment: () => add(' '),
    ontext: (data) => {
      if (hiddenDepth === 0 && tags < MAX_TAGS) add(data);
    },
  });
  const end = Math.min(html.length, MAX_SOURCE);
  for (let at = 0; at < end && tags < MAX_TAGS && text.length < MAX_TEXT; at += CHUNK) {
    const chunk = html.slice(at, Math.min(at + CHUNK, end));
    parser.write(chunk);
    // Counted here, because the parser does not report an end tag without an open element.
    tags += chunk.split('</').length - 1;
  }
  parser.end();
  return toOneLine(text);
}

/** Collapses white space, drops invisible characters and cuts to the limit, never inside a surrogate pair. */
function toOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(SPACES, ' ')
    .trim()
    .slice(0, MAX_SNIPPET)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}
