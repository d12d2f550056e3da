const ORIGIN = /^https?:\/\/[^/?#]*/i;
/** What Express would take for the end of a path and query, or trim: a fragment, and characters that a client must encode. */
const NOT_IN_TARGET = /[^!-~]|#/g;

/**
 * Returns a request's target as a path and query, which is all that Express should read. The absolute form (RFC 9112 §3.2.2) names a
 * host too, which is not trusted: the path alone counts. Another form, such as `*`, becomes a path that nothing serves.
 */
export function pathAndQuery(target: string): string {
  const rest = target.replace(ORIGIN, '').replace(NOT_IN_TARGET, encodeURIComponent);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Returns the query of a target as it was sent: the schemas of procedures decode it, and need its bytes. */
export function queryOf(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? '' : target.slice(at + 1);
}
