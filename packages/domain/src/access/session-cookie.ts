/** The console's token: out of reach of scripts, and never sent from another site. */
export const SESSION_COOKIE = 'firmdesk_session';

const MAX_AGE_SECONDS = 90 * 86_400;

export function sessionCookie(token: string, isSecure: boolean): string {
  return cookie(token, MAX_AGE_SECONDS, isSecure);
}

export function endedSessionCookie(isSecure: boolean): string {
  return cookie('', 0, isSecure);
}

function cookie(value: string, maxAge: number, isSecure: boolean): string {
  return `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}

/** The session's token out of a `Cookie` header (RFC 6265 §5.4). */
export function readSessionCookie(header: string | undefined): string | null {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === SESSION_COOKIE) return pair.slice(at + 1).trim() || null;
  }
  return null;
}
