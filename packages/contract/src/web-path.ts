/**
 * The characters of a path with query and fragment (RFC 3986), after one `/`. Browsers drop tabs and line breaks, and read `\` as `/`, so
 * that `/\t/host` and `/\host` would lead to another host.
 */
export const WEB_PATH = /^\/(?!\/)[\w\-.~!$&'()*+,;=:@%/?#]*$/;

// The package is built without the types of browsers and Node, which both have this.
declare const URL: new (url: string, base: string) => { origin: string; pathname: string };

/** A host that no browser resolves. */
const BASE = 'https://web.invalid';

/** Returns whether a text is a path inside the web application: resolved as a browser does, it stays there. */
export function isWebPath(text: string): boolean {
  if (!WEB_PATH.test(text)) return false;
  const { origin, pathname } = new URL(text, BASE);
  // `/.//host` becomes `//host`, which leads to another host if it is resolved once more.
  return origin === BASE && !pathname.startsWith('//');
}
