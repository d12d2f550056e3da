/** Returns the milliseconds until `Retry-After`, which is in seconds or a date (RFC 9110 §10.2.3). */
export function parseRetryAfter(text: string | null): number | null {
  if (text === null) return null;
  const seconds = /^\d{1,6}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : null;
}
