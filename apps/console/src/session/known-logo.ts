import { KEPT_ACCOUNT } from './account.ts';

/**
 * Returns the logo of a firm that this window has shown, for the page on which its session is opened again. The service does not tell it to somebody who
 * is not signed in: whether a firm exists is known to its people.
 */
export function knownLogo(slug: string | null): string | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT_ACCOUNT) ?? 'null');
    return kept?.workspace.slug === slug ? (kept.workspace.logo_url ?? null) : null;
  } catch {
    return null;
  }
}
