import { Parser } from 'htmlparser2';

/** Only this many characters of a body are parsed, and in chunks, so that parsing ends when the text is full. */
const MAX_SOURCE = 262_144;
const CHUNK = 512;
const SPACES = /\s+/g;

/** Elements whose content is not shown. */
const HIDDEN = new Set(['style', 'script', 'title', 'template']);
/** Elements that do not separate words. */
const INLINE = new Set(
  'a abbr b big code em font i mark s small span strike strong sub sup u wbr'.split(' '),
);

/**
 * Returns the beginning of the HTML's visible text, with each white space as one blank, and about `maxText` characters or more. The work is limited
 * for any input: for each end tag the parser searches its stack of open elements, so that its time grows with the square of `maxTags`.
 */
export function textOfHtml(html: string, { maxText, maxTags }: { maxText: number; maxTags: number }): string {
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
      if (hiddenDepth === 0 && tags < maxTags) add(data);
    },
  });
  const end = Math.min(html.length, MAX_SOURCE);
  for (let at = 0; at < end && tags < maxTags && text.length < maxText; at += CHUNK) {
    const chunk = html.slice(at, Math.min(at + CHUNK, end));
    parser.write(chunk);
    // Counted here, because the parser does not report an end tag without an open element.
    tags += chunk.split('</').length - 1;
  }
  parser.end();
  return text;
}
