import { SANDBOX_SUFFIX } from '@firmdesk/contract';

/**
 * The path of a firm's page: `/firms/northgate/tickets`, and with the firm's test data `/firms/northgate.test/tickets`. The prefix keeps
 * slugs apart from the names of pages.
 */
const FIRM_PATH = /^\/firms\/([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.test)?)(?=[/?#]|$)/;

/** Returns whether a slug is that of a firm's test data. */
export function isTestData(slug: string): boolean {
  return slug.endsWith(SANDBOX_SUFFIX);
}

/** Returns the slug of a firm's live data, from that of its live or of its test data. */
export function liveSlug(slug: string): string {
  return isTestData(slug) ? slug.slice(0, -SANDBOX_SUFFIX.length) : slug;
}

/** Returns the slug of a firm's test data, from that of its live or of its test data. */
export function testSlug(slug: string): string {
  return liveSlug(slug) + SANDBOX_SUFFIX;
}

/** Returns the slug of the firm in a path, or null if the path has none. */
export function firmOfPath(path: string): string | null {
  return FIRM_PATH.exec(path)?.[1] ?? null;
}

/** Returns the path within the firm. The picker's path maps to the firm's first page. */
export function pageOfPath(path: string): string {
  const firm = firmOfPath(path);
  if (firm !== null) return path.slice(firmPath(firm, '/').length) || '/';
  return /^\/firms(?=[/?#]|$)/.test(path) ? '/' : path;
}

/** Returns the path of a firm's page: `/tickets` in `northgate` is `/firms/northgate/tickets`. */
export function firmPath(firm: string, page: string): string {
  return `/firms/${firm}${page === '/' ? '' : page}`;
}

/** Returns whether a page belongs to a firm, which its path can lack. */
export function needsFirm(path: string): boolean {
  return !/^\/(firms|join|reset-password|sign-in|staff)(?=\/|$)/.test(path);
}
