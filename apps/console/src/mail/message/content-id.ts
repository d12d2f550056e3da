import { parseShownPart } from './shown-part.ts';

const SCHEME = /^cid:/i;

/** Returns the content id of a `cid:` URL (RFC 2392), or null for another URL. */
export function contentIdOf(url: string): string | null {
  const trimmed = url.trim();
  const encoded = trimmed.replace(SCHEME, '');
  if (encoded === trimmed || encoded === '') return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** Returns the content ids of the images that the HTML of a message shows. */
export function shownContentIds(html: string): ReadonlySet<string> {
  const { document } = parseShownPart(html);
  const urls = [...document.querySelectorAll('img[src]')].map((image) => image.getAttribute('src')!);
  return new Set(urls.flatMap((url) => contentIdOf(url) ?? []));
}
