import { PLATFORM } from '@firmdesk/contract';

declare module '../platform/services.ts' {
  interface Services {
    /** Whether the console's cookie may only travel over https. */
    secureCookies: boolean;
  }
}

/**
 * The console's tokens: out of reach of scripts, and never sent from another site. A token acts in one workspace, so a
 * browser holds one cookie for each workspace that it is signed in to, named after the workspace. Over HTTPS the names begin
 * with `__Host-`: browsers take such a cookie from this host alone, so another host of the domain cannot put its own in place.
 */
const PREFIX = 'firmdesk_session_';

function prefixOf(isSecure: boolean): string {
  return isSecure ? `__Host-${PREFIX}` : PREFIX;
}

const MAX_AGE_SECONDS = 90 * 86_400;

export function sessionCookie(workspace: string, token: string, isSecure: boolean): string {
  return cookie(workspace, token, MAX_AGE_SECONDS, isSecure);
}

export function endedSessionCookie(workspace: string, isSecure: boolean): string {
  return cookie(workspace, '', 0, isSecure);
}

function cookie(workspace: string, value: string, maxAge: number, isSecure: boolean): string {
  return `${prefixOf(isSecure)}${workspace}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}

/** Returns the sessions' tokens in a `Cookie` header (RFC 6265 §5.4), by the slug of their workspace. */
export function readSessionCookies(header: string | undefined, isSecure: boolean): Map<string, string> {
  const prefix = prefixOf(isSecure);
  const sessions = new Map<string, string>();
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim();
    const token = pair.slice(at + 1).trim();
    const workspace = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    // Of two cookies of one name, browsers send first the one that counts.
    if (workspace && token && !sessions.has(workspace)) sessions.set(workspace, token);
  }
  return sessions;
}

/**
 * Returns the token for a call that names a workspace: that workspace's own, else the staff's, which acts in every firm that
 * they may act in. A call that names none, or several, has none: no session is picked for it.
 */
export function sessionFor(sessions: ReadonlyMap<string, string>, named: readonly string[]): string | null {
  const [workspace] = named;
  if (!workspace || named.length > 1) return null;
  return sessions.get(workspace) ?? sessions.get(PLATFORM) ?? null;
}
