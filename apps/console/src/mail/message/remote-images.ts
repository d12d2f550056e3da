import { firm } from '../../session/firm.ts';

const REMOTE = /^\s*(?:https?:)?\/\//i;

/** The URL in CSS as a browser writes it. */
const CSS_URL = /url\("((?:[^"\\]|\\.)*)"\)/g;

/** Where this service fetches images of mail, so that their servers do not learn who reads it. */
export const imageProxy = (): string => `${location.origin}/mail-images/${firm}`;

export function isRemote(url: string): boolean {
  return REMOTE.test(url);
}

/** Returns the URL at which this service fetches an image; another URL as it is. */
function proxied(url: string): string {
  if (!isRemote(url)) return url;
  const absolute = url.trim().replace(/^\/\//, 'https://');
  return `${imageProxy()}?url=${encodeURIComponent(absolute)}`;
}

/** Lets the images of a cleaned body be fetched by this service: those of elements and of style attributes. */
export function proxyImages(root: HTMLElement): void {
  for (const name of ['src', 'background']) {
    for (const element of root.querySelectorAll(`[${name}]`))
      element.setAttribute(name, proxied(element.getAttribute(name)!));
  }
  for (const image of root.querySelectorAll('[srcset]'))
    image.setAttribute('srcset', proxiedSet(image.getAttribute('srcset')!));
  for (const element of root.querySelectorAll<HTMLElement>('[style]'))
    element.setAttribute('style', proxyCss(element.style.cssText));
}

/** Returns CSS, as a browser writes it, whose images this service fetches. */
export function proxyCss(css: string): string {
  return css.replace(CSS_URL, (whole, url: string) => (isRemote(url) ? `url("${proxied(url)}")` : whole));
}

/** Returns a `srcset`: URLs with a width or a density, separated by commas and blanks. */
function proxiedSet(set: string): string {
  return set
    .split(/,\s/)
    .map((candidate) => {
      const [url = '', ...descriptors] = candidate.trim().split(/\s+/);
      return [proxied(url), ...descriptors].join(' ');
    })
    .join(', ');
}
