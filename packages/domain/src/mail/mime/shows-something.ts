import { hasVisibleText } from '@firmdesk/contract';
import { Parser } from 'htmlparser2';

/** Of more HTML than this, it is assumed that it shows something. */
const MAX_SOURCE = 262_144;
const MAX_TAGS = 5_000;
const CHUNK = 512;

/** Elements whose content is not shown. */
const HIDDEN = new Set(['head', 'style', 'script', 'title', 'template']);
/** Elements that show something without text. */
const SHOWN = new Set(
  'img svg video audio object embed iframe canvas input button select textarea'.split(' '),
);

/** Returns whether a person sees anything of an HTML document. Images of one pixel, which only report that a mail was read, count as nothing. */
export function showsSomething(html: string): boolean {
  let isShown = false;
  let tags = 0;
  let depth = 0;
  /** The depth of the element that hides its content. */
  let hiddenAt = Number.POSITIVE_INFINITY;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      tags++;
      depth++;
      if (depth > hiddenAt) return;
      if (HIDDEN.has(name) || isHidden(attributes)) hiddenAt = depth;
      else if (SHOWN.has(name) && !isPixel(attributes) && !(name === 'img' && !attributes['src']))
        isShown = true;
    },
    onclosetag: () => {
      if (depth === hiddenAt) hiddenAt = Number.POSITIVE_INFINITY;
      depth--;
    },
    ontext: (text) => {
      if (depth < hiddenAt && hasVisibleText(text)) isShown = true;
    },
  });
  for (let at = 0; at < html.length && !isShown; at += CHUNK) {
    const chunk = html.slice(at, at + CHUNK);
    parser.write(chunk);
    tags += chunk.split('</').length - 1;
    if (at > MAX_SOURCE || tags > MAX_TAGS) return true;
  }
  if (!isShown) parser.end();
  return isShown;
}

function isHidden({ hidden, style = '' }: Record<string, string>): boolean {
  return (
    hidden !== undefined ||
    /(^|[;\s])(display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden|(opacity|max-height)\s{0,9}:\s{0,9}0(px)?\s{0,9}(;|!|$))/i.test(
      style,
    )
  );
}

function isPixel({ width = '', height = '', style = '' }: Record<string, string>): boolean {
  return (
    /^[01](px)?$/.test(width) ||
    /^[01](px)?$/.test(height) ||
    /(^|[;\s])(width|height)\s{0,9}:\s{0,9}[01](px)?\s{0,9}(;|!|$)/i.test(style)
  );
}
