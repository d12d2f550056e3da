/** What a message has no use for, or only a bad one. */
const REMOVED =
  'script, iframe, frame, object, embed, link, meta, base, form, template, audio, video, svg, math';
const URLS = ['href', 'src', 'action', 'formaction', 'background', 'poster', 'xlink:href'];
const REMOTE = /^\s*(https?:)?\/\//i;

export interface BodyDocument {
  /** The whole document, for `srcdoc`. */
  html: string;
  /** Whether it names images that lie elsewhere; whoever loads them is seen by their owner. */
  hasRemoteImages: boolean;
}

/**
 * The HTML of a message as a document that can do nothing: it is shown in a sandbox without scripts, and its own policy
 * lets it load nothing, or images alone. What could run is taken out besides, so that neither stands alone.
 *
 * `scheme`: the colours of a message that brings none of its own; one that does is shown on white, as it was written for.
 */
export function bodyDocument(
  body: string,
  { loadsImages, scheme }: { loadsImages: boolean; scheme: 'light' | 'dark' | 'light dark' },
): BodyDocument {
  // A document that is parsed and never shown runs nothing and loads nothing.
  const parsed = new DOMParser().parseFromString(body, 'text/html');
  const styles = [...parsed.querySelectorAll('style')].map(({ textContent }) => textContent ?? '');
  const hasRemoteImages = namesRemoteImages(parsed, styles);
  for (const element of parsed.querySelectorAll(REMOVED)) element.remove();
  for (const element of parsed.querySelectorAll('*')) defuse(element);
  const isPlain = styles.length === 0 && !parsed.querySelector('[style], [bgcolor], [color], [background]');
  const images = loadsImages ? 'data: https:' : 'data:';
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src ${images}; form-action 'none'; base-uri 'none'`;
  const html = `<!doctype html><html lang=""><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta http-equiv="x-dns-prefetch-control" content="off"><meta name="referrer" content="no-referrer">
<title>Message</title><style>${baseStyle(isPlain ? scheme : 'light')}</style>
${styles.map((style) => `<style>${style.replaceAll('</', '<\\/')}</style>`).join('')}
</head>${withoutStyles(parsed)}</html>`;
  return { html, hasRemoteImages };
}

function baseStyle(scheme: string): string {
  return `:root{color-scheme:${scheme};background:light-dark(#fff,#16191f);color:light-dark(#171a21,#eceef2);
font:14px/1.55 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
body{margin:20px;overflow-wrap:anywhere}img{max-width:100%;height:auto}a{color:light-dark(#3451c7,#8ea4ff)}
pre{white-space:pre-wrap}blockquote{margin:0 0 0 .5em;padding-left:.8em;border-left:2px solid light-dark(#868e9c,#6b7484)}`;
}

function withoutStyles({ body, querySelectorAll }: Document): string {
  for (const style of querySelectorAll.call(body.ownerDocument, 'style')) style.remove();
  return body.outerHTML;
}

/** Takes away handlers and addresses that are code; a link leads to a page of its own that learns nothing of this one. */
function defuse(element: Element): void {
  for (const { name, value } of [...element.attributes]) {
    const isCode = URLS.includes(name) && !/^\s*(https?:|mailto:|tel:|data:image\/|#|\/\/)/i.test(value);
    if (name.startsWith('on') || name === 'srcdoc' || name === 'ping' || isCode)
      element.removeAttribute(name);
  }
  if (element.matches('a, area')) {
    element.setAttribute('target', '_blank');
    element.setAttribute('rel', 'noopener noreferrer nofollow');
  }
}

function namesRemoteImages(parsed: Document, styles: readonly string[]): boolean {
  const sources = [...parsed.querySelectorAll('[src], [srcset], [background]')].flatMap((element) => [
    element.getAttribute('src') ?? '',
    element.getAttribute('srcset') ?? '',
    element.getAttribute('background') ?? '',
  ]);
  const inline = [...parsed.querySelectorAll('[style]')].map(
    (element) => element.getAttribute('style') ?? '',
  );
  return (
    sources.some((source) => REMOTE.test(source)) ||
    [...styles, ...inline].some((style) => /url\(\s*['"]?\s*(https?:)?\/\//i.test(style))
  );
}
