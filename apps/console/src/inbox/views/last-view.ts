import { type InboxSearch, parseInboxSearch } from '../search/inbox-search.ts';

/** Returns the filters of the view that this browser has shown last in a firm, or null. The page's first module reads it, too. */
export function lastView(firm: string | null): InboxSearch | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(firm)) ?? 'null');
    return typeof stored === 'object' && stored ? parseInboxSearch(stored as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Remembers the view, or with null that the account has none. */
export function rememberView(firm: string | null, search: InboxSearch | null): void {
  try {
    localStorage.setItem(keyOf(firm), JSON.stringify(search));
  } catch {
    // Without storage, the tickets open with the first view.
  }
}

function keyOf(firm: string | null): string {
  return `firmdesk.last-view.${firm}`;
}
