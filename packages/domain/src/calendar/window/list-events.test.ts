import { createCalendar, createEvents } from '@firmdesk/testing';
import {
  commonCases,
  createUserWithToken,
  suiteGateway,
  type UserWithToken,
} from '@firmdesk/testing/gateway';
import { beforeEach, expect, test } from 'vitest';

const LIST = 'GET /v1/me/calendar/events';
const DAY = 86_400_000;

const gateway = await suiteGateway();
let me: UserWithToken;

beforeEach(async () => {
  me = await createUserWithToken(gateway, { scopes: ['calendar:read'] });
  await createCalendar(gateway.services, { firm: me.firm, owner: me.user });
});

const ask = (query: Record<string, string> | string) =>
  gateway.request(`${LIST}?${new URLSearchParams(query)}`, { token: me.token });
commonCases(gateway, LIST, async (actors, { services }) => {
  const id = await createCalendar(services, { firm: actors.firm, owner: actors.admin });
  await createEvents(services, [
    {
      calendar_id: id,
      recurrence_rule: 'FREQ=DAILY',
      description: 'Numbers',
      location: 'Room 1',
      conference: { provider: 'zoom', url: 'https://zoom.us/j/1' },
      organizer: { name: 'Ann', email: 'ann@example.com' },
      attendees: [{ email: 'bob@example.com' }],
      reminders: [{ user_id: actors.admin.id, minutes_before: 10, channel: 'push' }],
    },
  ]);
  return { query: 'from=2026-11-01&until=2026-12-01&calendars[]=1&calendars[]=x' };
});

test('reads bounds without an offset, and the default window, in the zone of the account', async () => {
  await gateway.services.pool.query('update users set timezone = $1 where id = $2', [
    'Pacific/Auckland',
    me.user.id,
  ]);
  const midnight = (instant: string) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Pacific/Auckland', timeStyle: 'medium' }).format(
      new Date(instant),
    );
  const { meta } = (await ask({})).body;
  expect(midnight(meta.from)).toBe('00:00:00');
  expect(Date.parse(meta.until) - Date.parse(meta.from)).toBe(31 * DAY);
  expect((await ask({ from: '2026-07-21' })).body.meta.from).toBe('2026-07-20T12:00:00.000Z');
});

test('reads an undecoded + as an offset', async () => {
  expect((await ask('from=2026-11-21T09:30:00+01:00&until=2026-11-22')).body.meta).toMatchObject({
    from: '2026-11-21T08:30:00.000Z',
    until: '2026-11-22T00:00:00.000Z',
  });
});

test.each([
  [{ from: 'x' }, 'invalid_date'],
  [{ from: '2026-11-21', until: '2026-11-20' }, 'invalid_window'],
  [{ from: '2026-11-21', until: '2027-11-21' }, 'window_too_wide'],
])('rejects the window %j with 400 %s', async (query, code) => {
  const { status, body } = await ask(query);
  expect([status, body.error.code]).toEqual([400, code]);
});
