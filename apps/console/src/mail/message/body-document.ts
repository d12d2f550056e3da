import createSanitizer, { type Config } from 'dompurify';
import { contentIdOf } from './content-id.ts';
import { foldQuoted } from './fold-quoted.ts';
import { imageProxy, isRemote, proxyCss, proxyImages } from './remote-images.ts';
import { countBrackets, nestsSlowFunctions, parseShownPart, STYLE } from './shown-part.ts';

/** Properties that set colours. The service marks plain text with a style that sets none. */
const COLOURS_IN_CSS = /color|background|border|shadow|filter|fill|url\(/i;
/** The length of the CSS that is shown. Common mail has less than a third of it. */
const MAX_CSS = 100_000;
/**
 * How many brackets open in the CSS that is shown. Common mail has less than half of them. Thousands of them in each other take a browser
 * many seconds, or end its process.
 */
const MAX_BRACKETS = 3_000;

/** HTML only: no SVG, MathML, forms or media. */
const SANITIZED: Config = {
  USE_PROFILES: { html: true },
  FORBID_TAGS: [
    'form',
    'input',
    'button',
    'select',
    'option',
    'textarea',
    'audio',
    'video',
    'source',
    'track',
  ],
  ALLOW_DATA_ATTR: false,
  WHOLE_DOCUMENT: true,
  RETURN_DOM: true,
};

const URLS = new Set(['href', 'src', 'srcset', 'background', 'cite']);
/** Relative URLs are removed: they would point into the console. */
const ABSOLUTE = /^\s*(?:https?:|mailto:|tel:|data:image\/|#|\/\/)/i;

/** A separate instance, so that its hooks do not affect other users of the library. */
const sanitizer = createSanitizer();
sanitizer.addHook('uponSanitizeAttribute', (_element, attribute) => {
  const { attrName, attrValue } = attribute;
  if (!URLS.has(attrName) || ABSOLUTE.test(attrValue)) return;
  if (attrName !== 'src' || contentIdOf(attrValue) === null) attribute.keepAttr = false;
});
sanitizer.addHook('afterSanitizeAttributes', (element) => {
  if (!element.matches('a, area')) return;
  // Links open in a new tab without a referrer or opener.
  element.setAttribute('target', '_blank');
  element.setAttribute('rel', 'noopener noreferrer nofollow');
});

export interface BodyDocument {
  /** The whole document, for `srcdoc`. */
  html: string;
  /** Whether it shows the whole message. One that would keep the browser busy is shown in part. */
  isWhole: boolean;
  /** Whether it refers to images on other servers. Loading one tells that server that the message was read. */
  hasRemoteImages: boolean;
  /** Whether a quoted message at its end is left out. */
  isFolded: boolean;
}

export interface BodyOptions {
  /** Whether a quoted message at the end is left out. */
  foldsQuoted: boolean;
  /** Whether images on other servers are loaded, through this service. */
  loadsImages: boolean;
  scheme: 'light' | 'dark' | 'light dark';
  /** Images of the message as `data:` URLs, by their content id. */
  inlineImages: ReadonlyMap<string, string>;
}

/**
 * Returns the HTML of a message as a document that runs no code and loads at most images. Three layers of protection:
 * DOMPurify removes active content, the document's Content-Security-Policy forbids it, and the frame is a sandbox without
 * scripts.
 *
 * `scheme` is the color scheme of a message without colours. A message with colours is shown on white.
 */
export function bodyDocument(
  body: string,
  { loadsImages, scheme, inlineImages, foldsQuoted }: BodyOptions,
): BodyDocument {
  const parsed = parseShownPart(body);
  const { styles, areAll } = takeStyles(parsed.document);
  const root = sanitizer.sanitize(parsed.document.documentElement, SANITIZED) as unknown as HTMLElement;
  for (const element of root.querySelectorAll('[src]')) {
    const contentId = contentIdOf(element.getAttribute('src')!);
    if (contentId === null) continue;
    const image = inlineImages.get(contentId);
    if (!image) element.removeAttribute('src');
    else element.setAttribute('src', image);
  }
  for (const image of root.querySelectorAll<HTMLImageElement>('img[width][height]')) keepShape(image);
  const shown = root.querySelector('body');
  const isFolded = foldsQuoted && shown !== null && foldQuoted(shown);
  const hasColours =
    styles.length > 0 ||
    root.querySelector('[bgcolor], [color], [background]') !== null ||
    inlineStyles(root).some((css) => COLOURS_IN_CSS.test(css));
  const hasRemoteImages = namesRemoteImages(root, styles);
  if (loadsImages) proxyImages(root);
  const images = loadsImages ? `data: ${imageProxy()}` : 'data:';
  const shownStyles = loadsImages
    ? styles.map(({ sheet }) => proxyCss([...sheet.cssRules].map(({ cssText }) => cssText).join('\n')))
    : styles.map(({ css }) => css);
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src ${images}; form-action 'none'; base-uri 'none'`;
  const html = `<!doctype html><html lang=""><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta http-equiv="x-dns-prefetch-control" content="off"><meta name="referrer" content="no-referrer">
<title>Message</title><style>${baseStyle(hasColours ? 'light' : scheme)}</style>
${shownStyles.map((css) => `<style>${css.replaceAll('</', '<\\/')}</style>`).join('')}
</head>${shown?.outerHTML ?? '<body></body>'}</html>`;
  return { html, isWhole: parsed.isWhole && areAll, hasRemoteImages, isFolded };
}

/** Gives an image the shape that its attributes name, also where it is shown smaller: a spacer's own shape is another. */
function keepShape(image: HTMLImageElement): void {
  const [width, height] = [image.getAttribute('width')!, image.getAttribute('height')!].map((text) =>
    /^\d{1,5}$/.test(text) ? Number(text) : 0,
  );
  if (width && height) image.style.aspectRatio = `${width} / ${height}`;
}

function baseStyle(scheme: string): string {
  return `:root{color-scheme:${scheme};background:light-dark(#fff,#16191f);color:light-dark(#171a21,#eceef2);
font:14px/1.55 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
body{margin:20px;overflow-wrap:anywhere}img{max-width:100%;height:auto}a{color:light-dark(#3451c7,#8ea4ff)}
pre{white-space:pre-wrap}pre,[style^="white-space: pre-wrap"]{unicode-bidi:plaintext;text-align:start}blockquote{margin:0 0 0 .5em;padding-left:.8em;border-left:2px solid light-dark(#868e9c,#6b7484)}
::highlight(search-match){background-color:light-dark(#ffe27a,#f0c95a);color:#1c1600}`;
}

/** Returns a document that shows a text as it is. */
export function textDocument(text: string, scheme: BodyOptions['scheme']): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<!doctype html><html lang=""><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Message</title><style>${baseStyle(scheme)}</style></head><body><pre>${escaped}</pre></body></html>`;
}

interface Style {
  css: string;
  sheet: CSSStyleSheet;
}

/** Removes the style elements. Returns those that a browser applies quickly, and whether these are all. */
function takeStyles(document: Document): { styles: Style[]; areAll: boolean } {
  const elements = [...document.querySelectorAll(STYLE)];
  for (const element of elements) element.remove();
  let length = 0;
  let brackets = 0;
  const styles = elements
    .map(({ textContent }) => textContent ?? '')
    .filter((css) => {
      length += css.length;
      if (length > MAX_CSS) return false;
      brackets += countBrackets(css);
      return brackets <= MAX_BRACKETS && !nestsSlowFunctions(css);
    })
    .map((css) => ({ css, sheet: sheetOf(css) }))
    .filter(({ sheet }) => !hasNestedRules(sheet));
  return { styles, areAll: styles.length === elements.length };
}

/** Returns a style sheet as the browser understands it: without comments and escapes. */
function sheetOf(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}

/** Returns whether a rule has rules in it that refer to its elements, each of which a browser looks for in each level. Mail has none. */
function hasNestedRules({ cssRules }: CSSStyleSheet | CSSGroupingRule): boolean {
  return [...cssRules].some((rule) => {
    if (rule instanceof CSSStyleRule) return rule.cssRules.length > 0;
    return rule instanceof CSSGroupingRule && hasNestedRules(rule);
  });
}

function namesRemoteImages(root: HTMLElement, styles: readonly Style[]): boolean {
  const sources = [...root.querySelectorAll('[src], [srcset], [background]')].flatMap((element) => [
    element.getAttribute('src') ?? '',
    element.getAttribute('srcset') ?? '',
    element.getAttribute('background') ?? '',
  ]);
  return (
    sources.some(isRemote) ||
    styles.some(({ sheet }) => [...sheet.cssRules].some(({ cssText }) => isRemoteCss(cssText))) ||
    inlineStyles(root).map(declarationsOf).some(isRemoteCss)
  );
}

/** Returns the declarations of a style attribute as the browser understands them. */
function declarationsOf(css: string): string {
  const { style } = document.createElement('p');
  style.cssText = css;
  return style.cssText;
}

function isRemoteCss(css: string): boolean {
  const [, ...urls] = css.toLowerCase().split('url(');
  return urls.some((url) => isRemote(url.trimStart().replace(/^["']/, '')));
}

function inlineStyles(root: HTMLElement): string[] {
  return [...root.querySelectorAll('[style]')].map((element) => element.getAttribute('style') ?? '');
}
