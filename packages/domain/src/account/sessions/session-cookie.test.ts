import { describe, expect, test } from 'vitest';
import {
  endedSessionCookie,
  readSessionCookies,
  selectSessionToken,
  sessionCookie,
} from './session-cookie.ts';

test('names the cookie after the workspace, and marks it Secure only over HTTPS', () => {
  expect(sessionCookie('acme', 'fd_live_1', false)).toBe(
    'firmdesk_session_acme=fd_live_1; Path=/; Max-Age=34560000; HttpOnly; SameSite=Strict',
  );
  expect(sessionCookie('acme', 'fd_live_1', true)).toBe(
    '__Host-firmdesk_session_acme=fd_live_1; Path=/; Max-Age=34560000; HttpOnly; SameSite=Strict; Secure',
  );
  expect(endedSessionCookie('acme', false)).toMatch(/^firmdesk_session_acme=; Path=\/; Max-Age=0; /);
});

describe('readSessionCookies', () => {
  test.each([
    [undefined, {}],
    ['', {}],
    ['firmdesk_session_acme=one', { acme: 'one' }],
    ['other=1; firmdesk_session_acme=one;firmdesk_session_beta = two ; third', { acme: 'one', beta: 'two' }],
    ['firmdesk_session_acme=first; firmdesk_session_acme=second', { acme: 'first' }],
    ['firmdesk_session_acme=a=b', { acme: 'a=b' }],
    ['firmdesk_session_=one; firmdesk_session_acme=; =x; __Host-firmdesk_session_acme=two', {}],
  ])('reads %j', (header, sessions) => {
    expect(Object.fromEntries(readSessionCookies(header, false))).toEqual(sessions);
  });

  test('only reads __Host- cookies over HTTPS', () => {
    const header = 'firmdesk_session_acme=other; __Host-firmdesk_session_acme=own';
    expect(Object.fromEntries(readSessionCookies(header, true))).toEqual({ acme: 'own' });
  });
});

describe('selectSessionToken', () => {
  const sessions = new Map([
    ['acme', 'member'],
    ['platform', 'staff'],
  ]);
  test.each([
    [['acme'], 'member'],
    [['beta'], 'staff'],
    [['platform'], 'staff'],
    [[], null],
    [[''], null],
    [['acme', 'beta'], null],
  ])('returns for the workspaces %j the token %j', (named, token) => {
    expect(selectSessionToken(sessions, named)).toBe(token);
  });

  test('returns null without a session of the workspace or of the staff', () => {
    expect(selectSessionToken(new Map([['acme', 'member']]), ['beta'])).toBeNull();
  });
});
