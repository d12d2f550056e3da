const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * Returns the path and query of a request's target. Its absolute form (RFC 9112 §3.2.2) names a host too, which is not trusted: the
 * path alone counts.
 */
export function pathAndQuery(target: string): string {
  if (!ORIGIN.test(target)) return target;
  const rest = target.replace(ORIGIN, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
