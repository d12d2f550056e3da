/** A path of a firm's desk: `/firms/northgate/tickets`. Under `/firms` no other page can be mistaken for a firm. */
const FIRM_PATH = /^\/firms\/([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?=[/?#]|$)/;

/** Returns the slug of the firm that a path names; null for a path outside of every firm. */
export function firmOfPath(path: string): string | null {
  return FIRM_PATH.exec(path)?.[1] ?? null;
}

/** Returns what a path leads to within its firm; the picker's own path leads to the firm's first page. */
export function pageOfPath(path: string): string {
  const firm = firmOfPath(path);
  if (firm !== null) return path.slice(firmPath(firm, '/').length) || '/';
  return /^\/firms(?=[/?#]|$)/.test(path) ? '/' : path;
}

/** Returns a firm's address of a page: `/tickets` in `northgate` is `/firms/northgate/tickets`. */
export function firmPath(firm: string, page: string): string {
  return `/firms/${firm}${page === '/' ? '' : page}`;
}

/** Whether a path stays on this site: browsers drop tabs and line breaks, and `//` and `/\` begin another host. */
export function isOwnPath(path: string): boolean {
  return /^\/(?![\t\n\r]*[/\\])/.test(path);
}
