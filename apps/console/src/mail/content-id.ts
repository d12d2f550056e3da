/** Returns the content id of a `cid:` URL (RFC 2392), or null for another URL. */
export function contentIdOf(url: string): string | null {
  const [, encoded] = /^\s*cid:(.+?)\s*$/i.exec(url) ?? [];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** Returns the content ids of the images that the HTML of a message shows. */
export function shownContentIds(html: string): ReadonlySet<string> {
  const urls = [...html.matchAll(/\ssrc\s*=\s*["']?(cid:[^"'\s>]+)/gi)].map(([, url]) => url!);
  return new Set(urls.flatMap((url) => contentIdOf(url) ?? []));
}
