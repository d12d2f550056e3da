import { createCalendar, createEvents, createUser } from '@firmdesk/testing';
import {
  calendarCalls,
  createUserWithToken,
  suiteGateway,
  type UserWithToken,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { withTransaction } from '../../platform/database/transaction.ts';
import { importIcs } from '../invitations/import-ics.ts';

const gateway = await suiteGateway();
const { services } = gateway;
let me: UserWithToken;
let calendar: number;

beforeEach(async () => {
  me = await createUserWithToken(gateway, { permissions: ['view_tickets'] });
  calendar = await createCalendar(services, { firm: me.firm, owner: me.user });
});

const { call, create, done } = calendarCalls(gateway, () => ({ token: me.token, calendar }));
const ics = async (id: number, token = me.token): Promise<string> =>
  (await gateway.rpc('calendar.ics', { token, body: { id } })).data.ics;

describe('an event as a file', () => {
  test.each([
    ['a meeting', { location: 'Room 4; west, \\ left', description: 'Line 1\nLine 2\tü 😀 '.repeat(20) }],
    ['whole days', { all_day: true, starts_at: '2026-11-23', ends_at: '2026-11-25' }],
    [
      'a series over a change of the clocks',
      {
        recurrence_rule: 'FREQ=DAILY;COUNT=9',
        timezone: 'Europe/Berlin',
        starts_at: '2027-03-25T09:00',
        ends_at: '2027-03-25T10:00',
      },
    ],
    [
      'a series of whole days',
      {
        all_day: true,
        starts_at: '2026-11-23',
        ends_at: '2026-11-24',
        recurrence_rule: 'FREQ=WEEKLY;UNTIL=20261214',
      },
    ],
    ['a conference', { conference: { url: 'https://zoom.us/j/1?a=b,c;d' } }],
    ['a quoted name', { attendees: [{ email: 'guest@elsewhere.example', name: 'O"Hara; the ^1st' }] }],
  ])('is read back the same: %s', async (_, over) => {
    const id = await create(over);
    const other = await createCalendar(services, { firm: me.firm, owner: me.user });
    const { imported, refused } = await withTransaction(services, async (ctx) =>
      importIcs(ctx, { calendarId: other, document: await ics(id) }),
    );
    expect([imported, refused]).toEqual([1, []]);
    const list = async (calendar: number) => {
      const answer = await gateway.request(
        `GET /v1/me/calendar/events?from=2026-11-01&until=2026-12-31&calendars[]=${calendar}`,
        { token: me.token },
      );
      const later = await gateway.request(
        `GET /v1/me/calendar/events?from=2027-03-01&until=2027-04-30&calendars[]=${calendar}`,
        { token: me.token },
      );
      return [...answer.body.data, ...later.body.data].map(
        ({ id: _, calendar_id: __, source: ___, ...event }: Record<string, unknown>) => event,
      );
    };
    const [before, after] = [await list(calendar), await list(other)];
    expect(before.length).toBeGreaterThan(0);
    const inUtc = (events: Record<string, unknown>[]) =>
      events.map(({ timezone, conference, ...event }) => ({
        ...event,
        url: (conference as { url: string }).url,
      }));
    expect(inUtc(after)).toEqual(inUtc(before));
  });

  test('has changed and cancelled occurrences', async () => {
    const [id] = await createEvents(services, [
      {
        calendar_id: calendar,
        title: 'Round',
        starts_at: '2026-11-23T09:00:00Z',
        ends_at: '2026-11-23T10:00:00Z',
        timezone: 'Europe/Berlin',
        recurrence_rule: 'FREQ=DAILY;COUNT=4',
      },
    ]);
    await done('delete', { id, occurrence_start: '2026-11-24T09:00:00.000Z', extent: 'this' });
    await done('change', {
      ...{ id, occurrence_start: '2026-11-25T09:00:00.000Z', extent: 'this', title: 'Late' },
      ...{ starts_at: '2026-11-25T12:00:00Z' },
    });
    const other = await createCalendar(services, { firm: me.firm, owner: me.user });
    await withTransaction(services, async (ctx) =>
      importIcs(ctx, { calendarId: other, document: await ics(id!) }),
    );
    const { body } = await gateway.request(
      `GET /v1/me/calendar/events?from=2026-11-01&until=2026-12-31&calendars[]=${other}`,
      { token: me.token },
    );
    expect(
      body.data.map(({ title, starts_at }: { title: string; starts_at: string }) => [title, starts_at]),
    ).toEqual([
      ['Round', '2026-11-23T09:00:00.000Z'],
      ['Late', '2026-11-25T12:00:00.000Z'],
      ['Round', '2026-11-26T09:00:00.000Z'],
    ]);
  });

  test('has lines of at most 75 bytes', async () => {
    const text = await ics(await create({ title: 'Ünïcödé 😀'.repeat(40) }));
    expect(Math.max(...text.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
  });

  test('is not for those who may only see that time is taken, nor for another firm', async () => {
    const id = await create();
    const reader = await createUserWithToken(gateway, { firm: me.firm });
    await done('share', { calendar_id: calendar, user_id: reader.user.id, level: 'busy' });
    expect((await call('ics', { id }, reader.token)).code).toBe('forbidden');
    const stranger = await createUserWithToken(gateway);
    expect((await call('ics', { id }, stranger.token)).code).toBe('resource_not_found');
  });
});

describe('people', () => {
  const find = async (q: string, token = me.token): Promise<string[]> =>
    (await gateway.rpc('calendar.people', { token, body: { q } })).data.map(
      ({ name }: { name: string }) => name,
    );

  test('are found by any part of their name or address, in the own firm', async () => {
    await createUser(services, { firm: me.firm, name: 'Nadia Okafor', permissions: ['view_tickets'] });
    await createUser(services, {
      name: 'Nadia Elsewhere',
      firm: (await createUserWithToken(gateway)).firm,
      permissions: ['view_tickets'],
    });
    expect(await find('OKA')).toEqual(['Nadia Okafor']);
    expect(await find('nadia')).toEqual(['Nadia Okafor']);
    expect(await find(me.user.email.slice(2, 12).toUpperCase())).toContain('Robin Example');
    for (const q of ['', ' ', '%', '_']) expect(await find(q)).toEqual([]);
  });

  test('do not include traders, and are not shown to them', async () => {
    const trader = await createUserWithToken(gateway, { firm: me.firm, role: 'trader' });
    await services.pool.query('update users set name = $2 where id = $1', [trader.user.id, 'Tom Trader']);
    expect(await find('tom trader')).toEqual([]);
    expect(await find('Robin', trader.token)).toEqual([]);
  });
});
