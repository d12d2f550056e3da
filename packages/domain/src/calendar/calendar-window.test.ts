import { beforeEach, describe, expect, test } from 'vitest';
import { commonCases, createUserWithToken, suiteGateway, type UserWithToken } from '../testing/gateway.ts';
import { createCalendar, createEvents } from '../testing/index.ts';

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
const refused = async (query: Record<string, string> | string) => {
  const { status, body } = await ask(query);
  return [status, body.error?.code];
};
const liveIn = (zone: string) =>
  gateway.services.pool.query('update users set timezone = $1 where id = $2', [zone, me.user.id]);

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

describe('the window', () => {
  const windowOf = async (query: Record<string, string> | string) => {
    const { body } = await ask(query);
    return [body.meta?.from, body.meta?.until];
  };

  test('by default 31 days from the start of today in the account’s zone', async () => {
    await liveIn('Pacific/Auckland');
    const [from, until] = await windowOf({});
    const wall = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Pacific/Auckland',
      timeStyle: 'medium',
      dateStyle: 'short',
    });
    expect(wall.format(new Date(from))).toBe(`${wall.format(gateway.clock.now()).split(',')[0]}, 00:00:00`);
    expect(Date.parse(until) - Date.parse(from)).toBe(31 * DAY);
    expect(await windowOf({ from: '2026-05-01T10:00:00Z' })).toEqual([
      '2026-05-01T10:00:00.000Z',
      '2026-06-01T10:00:00.000Z',
    ]);
  });

  test.each([
    ['2026-11-21', '2026-11-20T23:00:00.000Z'],
    ['2026-07-21', '2026-07-20T22:00:00.000Z'],
    ['2026-11-21T09:30', '2026-11-21T08:30:00.000Z'],
    ['2026-11-21T09:30:15', '2026-11-21T08:30:15.000Z'],
    ['2026-11-21T09:30:15.1234', '2026-11-21T08:30:15.123Z'],
    ['2026-11-21T09:30:15,5', '2026-11-21T08:30:15.500Z'],
    ['2026-11-21T09:30Z', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21T09:30:00+05:30', '2026-11-21T04:00:00.000Z'],
    ['2026-11-21T09:30:00 05:30', '2026-11-21T04:00:00.000Z'],
    ['2026-11-21T09:30:00-0800', '2026-11-21T17:30:00.000Z'],
    ['2026-11-21T09:30:00+05', '2026-11-21T04:30:00.000Z'],
    ['2024-02-29', '2024-02-28T23:00:00.000Z'],
    ['2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
  ])('from %s is %s', async (from, instant) => {
    await liveIn('Europe/Berlin');
    expect((await windowOf({ from }))[0]).toBe(instant);
  });

  test.each([
    '',
    'today',
    '2026',
    '2026-11',
    '20261121',
    '2026-13-01',
    '2026-02-30',
    '2025-02-29',
    '2026-11-21T24:00',
    '2026-11-21T09',
    '2026-11-21T09:60',
    '2026-11-21T09:30:61Z',
    '2026-11-21 09:30',
    '2026-11-21Z',
    '2026-11-21T09:30:00+24:00',
    '2026-11-21T09:30:00+5',
    '21.11.2026',
    '1795000000',
    '0000-01-01',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-01:00',
    '+002026-11-21',
    'null',
  ])('%j is no date', async (text) => {
    expect(await refused({ from: text })).toEqual([400, 'invalid_date']);
    expect(await refused({ until: text })).toEqual([400, 'invalid_date']);
  });

  test('an undecoded + reads as an offset', async () => {
    expect(await windowOf('from=2026-11-21T09:30:00+01:00&until=2026-11-22')).toEqual([
      '2026-11-21T08:30:00.000Z',
      '2026-11-22T00:00:00.000Z',
    ]);
  });

  test('until must be after from; a wrong date is said first, a wide window last', async () => {
    const at = '2026-11-21T00:00:00Z';
    expect(await refused({ from: at, until: at })).toEqual([400, 'invalid_window']);
    expect(await refused({ from: at, until: '2026-11-20' })).toEqual([400, 'invalid_window']);
    expect(await refused({ until: '2001-01-01' })).toEqual([400, 'invalid_window']);
    expect(await refused({ from: at, until: 'x' })).toEqual([400, 'invalid_date']);
    expect(await refused({ from: '2026-11-21', until: '2027-11-21' })).toEqual([400, 'window_too_wide']);
    expect((await ask({ from: at, until: '2026-11-21T00:00:00.001Z' })).status).toBe(200);
  });

  test('92 days pass, and not a moment more', async () => {
    expect((await ask({ from: '2026-05-01', until: '2026-08-01' })).status).toBe(200);
    expect(await refused({ from: '2026-05-01', until: '2026-08-01T00:00:00.001' })).toEqual([
      400,
      'window_too_wide',
    ]);
    await liveIn('Europe/Berlin');
    // An hour more than 92 × 24.
    expect((await ask({ from: '2026-08-01', until: '2026-11-01' })).status).toBe(200);
    expect(await refused({ from: '2026-08-01', until: '2026-11-01T00:00:00.001' })).toEqual([
      400,
      'window_too_wide',
    ]);
    // An hour less: 92 × 24 hours pass, too.
    expect((await ask({ from: '2026-03-01', until: '2026-06-01T01:00' })).status).toBe(200);
    expect(await refused({ from: '2026-03-01', until: '2026-06-01T01:00:00.001' })).toEqual([
      400,
      'window_too_wide',
    ]);
  });

  test('the ends of the calendar', async () => {
    expect(await windowOf({ from: '9999-12-31T00:00:00Z' })).toEqual([
      '9999-12-31T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
    ]);
    expect((await ask({ from: '0001-01-01T00:00:00Z', until: '0001-01-02T00:00:00Z' })).status).toBe(200);
  });
});
