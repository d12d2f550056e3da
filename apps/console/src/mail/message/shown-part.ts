/**
 * The limits of what is shown of a message. A browser's time for HTML grows with the square of its open elements, and its time for CSS with
 * the number of rules times elements: within the limits, a message of any content is cleaned in less than a second.
 */
const MAX_LENGTH = 500_000;
const MAX_TAGS = 10_000;
const MAX_ELEMENT_ATTRIBUTES = 100;
const MAX_ATTRIBUTES = 20_000;
/** How many brackets open in a style attribute. Common mail has a few. */
const MAX_STYLE_BRACKETS = 100;

/** Returns the HTML of a message, or the beginning that a browser reads quickly. */
export function shownPart(html: string): string {
  let end = html.indexOf('<');
  for (let tags = 0; tags < MAX_TAGS && end >= 0; tags++) end = html.indexOf('<', end + 1);
  return html.slice(0, Math.min(end < 0 ? html.length : end, MAX_LENGTH));
}

/** A tag of a style element, without its attributes. */
const STYLE_TAG = /<(\/?)style(?=[\s/>])/gi;

/** What may be the name of a style attribute, also in a text. */
const STYLE_ATTRIBUTE = /(?<=[\s"'/])style(?=[\s/>=])/gi;

/** What a style element of a message becomes: an element that is parsed alike. */
export const STYLE = 'noframes';

/** What the name of a style attribute becomes. */
const STYLE_NAME = 'style-of-mail';

/**
 * Parses HTML. The document loads and runs nothing, and nothing of it is parsed as CSS: less than 1 kB of that can keep a browser busy for
 * minutes, or end its process. Style attributes that a browser reads quickly are added afterwards. `isWhole`: whether they all are.
 */
export function parseHtml(html: string): { document: Document; isWhole: boolean } {
  const withoutCss = html.replace(STYLE_TAG, `<$1${STYLE}`).replace(STYLE_ATTRIBUTE, STYLE_NAME);
  const document = new DOMParser().parseFromString(withoutCss, 'text/html');
  let isWhole = true;
  const nodes = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (!(node instanceof Element)) {
      if (node.nodeValue!.includes(STYLE_NAME)) node.nodeValue = withStyles(node.nodeValue!);
      continue;
    }
    for (const attribute of node.attributes)
      if (attribute.value.includes(STYLE_NAME)) attribute.value = withStyles(attribute.value);
    const css = node.getAttribute(STYLE_NAME);
    if (css === null) continue;
    node.removeAttribute(STYLE_NAME);
    if (countBrackets(css) > MAX_STYLE_BRACKETS || nestsSlowFunctions(css)) isWhole = false;
    else node.setAttribute('style', css);
  }
  return { document, isWhole };
}

function withStyles(text: string): string {
  return text.replaceAll(STYLE_NAME, 'style');
}

/** Parses the shown part of a message. `isWhole`: whether it is the whole message. */
export function parseShownPart(html: string): { document: Document; isWhole: boolean } {
  const part = shownPart(html);
  const { document, ...parsed } = parseHtml(part);
  let isWhole = parsed.isWhole && part.length === html.length;
  let attributes = 0;
  for (const element of document.querySelectorAll('*')) {
    const own = element.attributes.length;
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

/** The functions that mail has, which browsers read quickly also in each other, and parentheses without a name. */
const QUICK = new Set(
  `rgb rgba hsl hsla hwb lab lch oklab oklch color light-dark url src format local tech var env attr calc min max clamp
  linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient -webkit-linear-gradient
  -webkit-radial-gradient -moz-linear-gradient -o-linear-gradient image-set -webkit-image-set translate translatex translatey
  translate3d scale scalex scaley scale3d rotate rotatex rotatey skew skewx skewy matrix matrix3d perspective cubic-bezier steps
  blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia counter counters rect inset circle ellipse
  polygon path minmax repeat fit-content not is where has nth-child nth-last-child nth-of-type nth-last-of-type lang dir selector
  supports`.split(/\s+/),
).add('');
/** How many other functions CSS may have. */
const MAX_OTHERS = 8;
/** The longest name that is looked at. The longest way to write `anchor-size` has an escape for each letter. */
const LONGEST_NAME = 100;

/**
 * Returns whether CSS may have many functions in each other of which each doubles the time that a browser takes: `color-mix`, `anchor-size`
 * and others that browsers have or will have. A name with escapes counts as such.
 */
export function nestsSlowFunctions(css: string): boolean {
  const before = css
    .split('(')
    .slice(0, -1)
    .map((text) => text.slice(-LONGEST_NAME).toLowerCase());
  const isQuick = (text: string) =>
    !text.includes('\\') && QUICK.has(text.split(/[^-\w\u0080-\uffff]/).at(-1)!);
  return before.filter((text) => !isQuick(text)).length > MAX_OTHERS;
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
