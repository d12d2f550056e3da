/**
 * The limits of what is shown of a message. A browser's time for HTML grows with the square of its open elements, and its time for CSS with
 * the number of rules times elements: within the limits, a message of any content is cleaned in less than a second.
 */
const MAX_LENGTH = 500_000;
const MAX_TAGS = 10_000;
const MAX_ELEMENT_ATTRIBUTES = 100;
const MAX_ATTRIBUTES = 20_000;
/** How many brackets open in a style attribute. A browser's time for functions in each other can double with each. */
const MAX_STYLE_BRACKETS = 100;

/** Returns the HTML of a message, or the beginning that a browser reads quickly. */
export function shownPart(html: string): string {
  let end = html.indexOf('<');
  for (let tags = 0; tags < MAX_TAGS && end >= 0; tags++) end = html.indexOf('<', end + 1);
  return html.slice(0, Math.min(end < 0 ? html.length : end, MAX_LENGTH));
}

/** A tag of a style element, without its attributes. */
const STYLE_TAG = /<(\/?)style(?=[\s/>])/gi;

/** What a style element of a message becomes: an element that is parsed alike. */
export const STYLE = 'noframes';

/**
 * Parses HTML. The document loads and runs nothing, and nothing of it is parsed as CSS: a few kB of that can keep a browser busy for
 * minutes, or end its process.
 */
export function parseHtml(html: string): Document {
  return new DOMParser().parseFromString(html.replace(STYLE_TAG, `<$1${STYLE}`), 'text/html');
}

/** Parses the shown part of a message. `isWhole`: whether it is the whole message. */
export function parseShownPart(html: string): { document: Document; isWhole: boolean } {
  const part = shownPart(html);
  let isWhole = part.length === html.length;
  const document = parseHtml(part);
  let attributes = 0;
  for (const element of document.querySelectorAll('*')) {
    const own = element.attributes.length;
    if (countBrackets(element.getAttribute('style') ?? '') > MAX_STYLE_BRACKETS) {
      element.removeAttribute('style');
      isWhole = false;
    }
    if (own <= MAX_ELEMENT_ATTRIBUTES && attributes + own <= MAX_ATTRIBUTES) attributes += own;
    else {
      const bare = document.createElement(element.localName);
      bare.append(...element.childNodes);
      element.replaceWith(bare);
      isWhole = false;
    }
  }
  return { document, isWhole };
}

/** Returns how many brackets open in CSS: at least how deep anything in it is nested. */
export function countBrackets(css: string): number {
  return css.split(/[{([]/).length - 1;
}

const HIDDEN = /^(?:style|script|title|template)$/;
const BLOCK =
  /^(?:br|p|div|tr|li|ul|ol|table|blockquote|pre|h[1-6]|hr|section|article|header|footer|address)$/;

/** Returns the text of any HTML, of any size, without a parser: its tags are removed, and some text of broken ones may stay. */
export function textOf(html: string): string {
  const [start = '', ...pieces] = html.split('<');
  const texts = [start];
  /** What ends a comment or an element that is not shown. */
  let hiddenUntil: string | null = null;
  for (const piece of pieces) {
    const name = /^\/?[a-z][a-z0-9]*/i.exec(piece)?.[0].toLowerCase() ?? '';
    const close = piece.indexOf('>');
    if (hiddenUntil === '-->') {
      const end = piece.indexOf('-->');
      if (end < 0) continue;
      hiddenUntil = null;
      texts.push(piece.slice(end + 3));
    } else if (hiddenUntil !== null) {
      if (name !== hiddenUntil) continue;
      hiddenUntil = null;
      texts.push(piece.slice(close + 1));
    } else if (piece.startsWith('!--')) {
      const end = piece.indexOf('-->');
      if (end < 0) hiddenUntil = '-->';
      else texts.push(piece.slice(end + 3));
    } else if (name === '' && !piece.startsWith('!')) texts.push(`<${piece}`);
    else if (HIDDEN.test(name)) hiddenUntil = `/${name}`;
    else if (close >= 0) texts.push(BLOCK.test(name.replace('/', '')) ? '\n' : '', piece.slice(close + 1));
  }
  return withoutReferences(texts.join(''));
}

/** Replaces character references such as `&nbsp;`. */
function withoutReferences(text: string): string {
  const escaped = text.replaceAll('<', '&lt;');
  return new DOMParser().parseFromString(escaped, 'text/html').body.textContent ?? '';
}
