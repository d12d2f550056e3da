/*
 * The logos of the firms that this browser has opened. The sign-in page shows that of the firm to which it leads. The service does not tell it to
 * somebody who is not signed in: whether a firm exists is known to its people.
 */

const keyOf = (slug: string) => `firmdesk-logo ${slug}`;

export function rememberLogo(slug: string, url: string | null): void {
  try {
    if (url === null) localStorage.removeItem(keyOf(slug));
    else localStorage.setItem(keyOf(slug), url);
  } catch {
    // Without storage, the sign-in page shows no logo.
  }
}

export function knownLogo(slug: string | null): string | null {
  try {
    return slug === null ? null : localStorage.getItem(keyOf(slug));
  } catch {
    return null;
  }
}
