/**
 * The characters of a path with query and fragment (RFC 3986), after one `/`. Browsers drop tabs and line breaks, and read `\` as `/`, so
 * that `/\t/host` and `/\host` would lead to another host.
 */
export const WEB_PATH = /^\/(?!\/)[\w\-.~!$&'()*+,;=:@%/?#]*$/;

/** A segment that browsers resolve: `.` or `..`. `/.//host` would become `//host`, which leads to another host. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/** Returns whether a text is a path inside the web application, which stays there when a browser resolves it. */
export function isWebPath(text: string): boolean {
  const [path = ''] = text.split(/[?#]/, 1);
  return WEB_PATH.test(text) && !DOT_SEGMENT.test(path);
}
