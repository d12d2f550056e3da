import { createCalendar } from '@firmdesk/testing';
import { createUserWithToken, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeEach, expect, test } from 'vitest';

const gateway = await suiteGateway();
let token: string;

beforeEach(async () => {
  const created = await createUserWithToken(gateway, { scopes: ['calendar:read', 'notifications:write'] });
  token = created.token;
  await createCalendar(gateway.services, { firm: created.firm, owner: created.user });
});

const EVENTS = 'GET /v1/me/calendar/events';
const READ = 'POST /v1/me/notifications/read';
const ignored = async (target: string, { query = '', body }: { query?: string; body?: object } = {}) => {
  const { status, headers } = await gateway.request(`${target}?${query}`, { token, body });
  return [status, headers.get('ignored-parameters')];
};

test('sends no header if every parameter has an effect', async () => {
  expect(await ignored(EVENTS, { query: 'from=2026-11-01&calendars[]=1&calendars[]=2' })).toEqual([
    200,
    null,
  ]);
  expect(await ignored('GET /v1/ping')).toEqual([200, null]);
});

test('names unknown parameters of the query once each', async () => {
  expect(await ignored(EVENTS, { query: 'form=2026-11-01&calendars=1&calendars=2' })).toEqual([
    200,
    'form, calendars',
  ]);
});

test('names a list whose values are joined by commas', async () => {
  expect(await ignored(EVENTS, { query: 'calendars[]=1,2' })).toEqual([200, 'calendars[]']);
});

test('names unknown fields of the body, and every parameter of a query that the operation does not read', async () => {
  expect(await ignored(READ, { query: 'all=true', body: { all: true, every: 1 } })).toEqual([
    200,
    'all, every',
  ]);
});

test('encodes names that a header cannot contain, and lists at most 20', async () => {
  expect(await ignored('GET /v1/ping', { query: 'na%0D%0Ame=1&%F0%9F%98%80=1' })).toEqual([
    200,
    'na%0D%0Ame, %F0%9F%98%80',
  ]);
  const query = Array.from({ length: 30 }, (_, index) => `n${index}=1`).join('&');
  const [, names] = await ignored('GET /v1/ping', { query });
  expect(String(names).split(', ')).toHaveLength(20);
});

test('names them beside an error too', async () => {
  expect(await ignored(EVENTS, { query: 'from=x&form=1' })).toEqual([400, 'form']);
});

test('logs how many were ignored, without their names, and counts the calls by route', async () => {
  gateway.log.lines.length = 0;
  await ignored(READ, { query: 'all=true', body: { all: true, every: 1 } });
  await ignored('GET /v1/ping');
  await expect
    .poll(() => gateway.log.lines.filter(({ message }) => message === 'request').map(({ fields }) => fields))
    .toMatchObject([{ ignored_parameters: 2 }, { ignored_parameters: undefined }]);
  expect(JSON.stringify(gateway.log.lines)).not.toContain('every');
  const { text } = await gateway.request('GET /metrics');
  expect(text).toMatch(
    /^http_requests_with_ignored_parameters_total\{route="\/v1\/me\/notifications\/read"\} \d+$/m,
  );
});
