import { appRouter, declaredProcedures } from '@firmdesk/domain';
import { createCalendar, createEvents } from '@firmdesk/testing';
import {
  createUserWithToken,
  operationOf,
  suiteGateway,
  type UserWithToken,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { matchesTag } from './entity-tag.ts';

const gateway = await suiteGateway();
const WINDOW = 'GET /v1/me/calendar/events?from=2026-11-01&until=2026-12-01';
let me: UserWithToken;
let calendar: number;

beforeEach(async () => {
  me = await createUserWithToken(gateway, { scopes: ['calendar:read'] });
  calendar = await createCalendar(gateway.services, { firm: me.firm, owner: me.user });
  await createEvents(gateway.services, [{ calendar_id: calendar }]);
});

const get = (ifNoneMatch?: string, token = me.token, target = WINDOW) =>
  gateway.request(target, { token, headers: ifNoneMatch ? { 'if-none-match': ifNoneMatch } : {} });

describe('a repeated GET with If-None-Match', () => {
  test('gets 304 without a body while the response would be the same', async () => {
    const first = await get();
    const tag = first.headers.get('etag')!;
    expect(tag).toMatch(/^W\/"[\w-]{27}"$/);
    for (const sent of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
      const again = await get(sent);
      expect(again.status).toBe(304);
      expect(again.text).toBe('');
      expect(again.headers.get('etag')).toBe(tag);
      expect(again.headers.get('cache-control')).toBe('no-store');
      expect(again.headers.get('vary')).toBe('Authorization, Accept-Encoding');
      expect(again.headers.get('content-length')).toBeNull();
      expect(again.headers.get('content-type')).toBeNull();
      const published = operationOf('GET /v1/me/calendar/events').responses[304].headers;
      for (const name of ['ETag', 'X-Request-Id', 'Request-Id']) {
        expect(published).toHaveProperty([name]);
        expect(again.headers.get(name)).not.toBeNull();
      }
    }
    const head = await gateway.request(WINDOW.replace('GET', 'HEAD'), {
      token: me.token,
      headers: { 'if-none-match': tag },
    });
    expect(head.status).toBe(304);
  });

  test('gets 200 with another tag after a change', async () => {
    const tag = (await get()).headers.get('etag')!;
    await createEvents(gateway.services, [{ calendar_id: calendar, title: 'New' }]);
    const changed = await get(tag);
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(tag);
    expect(changed.body.data).toHaveLength(2);
  });

  test('gets 304 only after all checks of the call', async () => {
    const tag = (await get()).headers.get('etag')!;
    const revoked = await createUserWithToken(gateway, { scopes: ['mail:read'] });
    for (const [token, status] of [
      ['', 401],
      ['fd_live_unknown', 401],
      [revoked.token, 403],
    ] as const)
      expect((await get(tag, token)).status).toBe(status);
    const other = await createUserWithToken(gateway, { scopes: ['calendar:read'] });
    // An account without a calendar gets its error, also for `*`.
    expect((await get('*', other.token)).body.error.code).toBe('calendar_not_permitted');
  });
});

test('the OpenAPI document has an ETag', async () => {
  const first = await get(undefined, me.token, 'GET /v1/openapi.json');
  const again = await get(first.headers.get('etag')!, me.token, 'GET /v1/openapi.json');
  expect([first.status, again.status, again.text]).toEqual([200, 304, '']);
});

test('every GET of the API is conditional, except ping, and published as such', () => {
  for (const { spec } of declaredProcedures(appRouter)) {
    if (spec.rest?.method !== 'GET') {
      expect(spec.conditional).toBe(false);
      continue;
    }
    const target = `GET ${spec.rest.path}`;
    expect(spec.conditional, target).toBe(target !== 'GET /v1/ping');
    const { parameters = [], responses } = operationOf(target);
    expect(JSON.stringify(parameters).includes('If-None-Match')).toBe(spec.conditional);
    expect(304 in responses).toBe(spec.conditional);
  }
});

test.each([
  ['W/"a"', 'W/"a"', true],
  ['"a"', 'W/"a"', true],
  ['"b" , W/"a"', 'W/"a"', true],
  ['*', 'W/"a"', true],
  ['"b"', 'W/"a"', false],
  ['a', 'W/"a"', false],
  ['', 'W/"a"', false],
  [undefined, 'W/"a"', false],
])('If-None-Match %s and ETag %s: %s', (header, tag, matches) => {
  expect(matchesTag(header, tag)).toBe(matches);
});
