import { PLATFORM } from '@firmdesk/contract';
import { isSandbox, slugIn } from '../../access/workspaces/sandbox.ts';
import type { CallContext } from '../../procedures/call-context.ts';
import type { Answer } from '../../procedures/spec.ts';

declare module '../../platform/services.ts' {
  interface Services {
    /** Whether the console's cookies are only sent over HTTPS. */
    secureCookies: boolean;
  }
}

/**
 * The name of a session cookie is this prefix and the workspace's slug, because a token acts in one workspace. Over HTTPS the name
 * starts with `__Host-`: browsers accept such a cookie only from this host, so another host of the domain cannot replace it.
 */
const PREFIX = 'firmdesk_session_';

function prefixOf(isSecure: boolean): string {
  return isSecure ? `__Host-${PREFIX}` : PREFIX;
}

/**
 * The longest age that browsers accept (RFC 6265bis §5.5). The cookie is not renewed, and must outlast a token that is in use;
 * a token that is not used expires by itself.
 */
const MAX_AGE_SECONDS = 400 * 86_400;

/** Returns the `Set-Cookie` header that stores a session's token. */
export function sessionCookie(workspace: string, token: string, isSecure: boolean): string {
  return cookie(workspace, token, MAX_AGE_SECONDS, isSecure);
}

/** Returns the `Set-Cookie` header that deletes the cookie of a workspace. */
export function endedSessionCookie(workspace: string, isSecure: boolean): string {
  return cookie(workspace, '', 0, isSecure);
}

/** The result of an operation on a session of the calling browser. */
export interface SessionResult<Output> {
  output: Output;
  /** The token to store in the workspace's cookie, or null to delete the cookie. Absent to leave the browser's cookies as they are. */
  cookie?: { workspace: string; token: string | null };
}

/** Returns the answer that stores or deletes the browser's cookie. */
export function answerWithCookie<Output>(
  { output, cookie: set }: SessionResult<Output>,
  { services: { secureCookies } }: CallContext,
): Answer<Output> {
  if (!set) return { output };
  const { workspace, token } = set;
  return {
    output,
    headers: {
      'Set-Cookie':
        token === null
          ? endedSessionCookie(workspace, secureCookies)
          : sessionCookie(workspace, token, secureCookies),
    },
  };
}

function cookie(workspace: string, value: string, maxAge: number, isSecure: boolean): string {
  return `${prefixOf(isSecure)}${workspace}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}

/** Returns the session tokens in a `Cookie` header (RFC 6265 §5.4), by the slug of their workspace. */
export function readSessionCookies(header: string | undefined, isSecure: boolean): Map<string, string> {
  const prefix = prefixOf(isSecure);
  const sessions = new Map<string, string>();
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim();
    const token = pair.slice(at + 1).trim();
    const workspace = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    // Of several cookies with one name, browsers send the most specific one first.
    if (workspace && token && !sessions.has(workspace)) sessions.set(workspace, token);
  }
  return sessions;
}

/**
 * Returns the token for a call that names one workspace: the token of that workspace, or else that of `platform`, for a sandbox that of
 * the sandbox of `platform`. Returns null if the
 * call names no workspace or several.
 */
export function selectSessionToken(
  sessions: ReadonlyMap<string, string>,
  named: readonly string[],
): string | null {
  const [workspace] = named;
  if (!workspace || named.length > 1) return null;
  const staff = isSandbox({ slug: workspace }) ? slugIn('test', PLATFORM) : PLATFORM;
  return sessions.get(workspace) ?? sessions.get(staff) ?? null;
}
