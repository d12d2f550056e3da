import { createCalendar, createEvents } from '@firmdesk/testing';
import { createUserWithToken, suiteGateway, tokenOf, type UserWithToken } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const gateway = await suiteGateway();
const { pool } = gateway.services;
let me: UserWithToken;
let calendar: number;

beforeEach(async () => {
  me = await createUserWithToken(gateway, { scopes: ['calendar:read'] });
  calendar = await createCalendar(gateway.services, { firm: me.firm, owner: me.user });
});

const ask = (from: string, until: string) =>
  gateway.request(`GET /v1/me/calendar/events?${new URLSearchParams({ from, until })}`, { token: me.token });

/** Stores events without the checks of a write, as an earlier version may have stored them. */
const store = (count: number, columns: { rule: string | null; description?: string; removed?: string[] }) =>
  pool.query(
    `insert into events (workspace_id, calendar_id, title, local_start, local_end, timezone, recurrence_rule, description, removed_dates,
       span_start, created_at, updated_at)
     select (select workspace_id from calendars where id = $1), $1, 'Event ' || n, to_char(t, 'YYYY-MM-DD"T"HH24:MI:SS'), to_char(t + interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS'),
       'UTC', $3, $4, $5, t at time zone 'UTC', now(), now()
     from generate_series(1, $2) as n, lateral (select '2026-11-02T09:00:00'::timestamp + n * interval '1 second' as t) as at`,
    [calendar, count, columns.rule, columns.description ?? null, JSON.stringify(columns.removed ?? [])],
  );

describe('a calendar that is expensive to expand', () => {
  test('does not block other calls of the gateway', async () => {
    // The last occurrence of each COUNT is searched by a walk from DTSTART.
    await store(300, { rule: 'FREQ=HOURLY;INTERVAL=5;BYDAY=MO;COUNT=1000000' });
    let isAnswered = false;
    const window = ask('2026-11-01', '2026-12-01').finally(() => {
      isAnswered = true;
    });
    let pings = 0;
    while (!isAnswered) {
      const { status } = await gateway.request('GET /v1/ping', { token: me.token });
      expect(status).toBe(200);
      if (!isAnswered) pings++;
    }
    const { status, body } = await window;
    expect(status).toBe(200);
    expect(body.data.length).toBeGreaterThanOrEqual(300);
    // A blocked gateway would answer one or two. A busy machine answers fewer than an idle one.
    expect(pings).toBeGreaterThan(10);
  });

  test('shows only the first occurrence of an event that takes too much work, with meta.truncated', async () => {
    // Removed dates in 5,000 years, each of which needs its own zone table.
    const removed = Array.from(
      { length: 5_000 },
      (_, i) => `${String(1 + i).padStart(4, '0')}-07-01T09:00:00`,
    );
    await store(1, { rule: 'FREQ=DAILY', removed });
    await pool.query(`update events set timezone = 'Europe/Berlin' where calendar_id = $1`, [calendar]);
    const [fine] = await createEvents(gateway.services, [
      { calendar_id: calendar, recurrence_rule: 'FREQ=WEEKLY' },
    ]);
    const { body } = await ask('2026-11-01', '2026-12-05');
    expect(body.meta.truncated).toBe(true);
    expect(
      body.data.map((one: { id: number; starts_at: string }) => [one.id === fine, one.starts_at]),
    ).toEqual([
      [false, '2026-11-02T08:00:01.000Z'],
      [true, '2026-11-23T09:00:00.000Z'],
      [true, '2026-11-30T09:00:00.000Z'],
    ]);
  });
});

test('changes an event with thousands of listed dates', async () => {
  const day = (n: number) => new Date(Date.parse('2026-11-02T09:00:00Z') + n * 86_400_000).toISOString();
  const [id] = await createEvents(gateway.services, [
    {
      calendar_id: calendar,
      starts_at: day(0),
      ends_at: day(0),
      recurrence_rule: 'FREQ=WEEKLY',
      rdates: Array.from({ length: 5_000 }, (_, i) => day(2 * i + 1)),
      exdates: Array.from({ length: 5_000 }, (_, i) => day(2 * i + 2)),
    },
  ]);
  const token = await tokenOf(gateway, me.user, me.firm.slug);
  const body = { id, extent: 'all', occurrence_start: day(0), recurrence_rule: 'FREQ=DAILY' };
  const answer = await gateway.rpc('calendar.change', { token, body });
  expect(answer.code ?? answer.status).toBe(200);
  const { body: shown } = await ask('2026-11-02', '2026-11-09');
  // The added days, and the days of the rule that are not removed.
  expect(shown.data.map((one: { starts_at: string }) => one.starts_at)).toEqual([0, 1, 3, 5].map(day));
});

describe('the response', () => {
  test('contains at most 16 MiB of texts', async () => {
    const description = 'x'.repeat(100_000);
    await store(5, { rule: 'FREQ=DAILY', description });
    const { body, text } = await ask('2026-11-02', '2027-02-01');
    expect(body.meta.truncated).toBe(true);
    expect(body.data.length).toBeGreaterThan(100);
    expect(text.length).toBeLessThan(18_000_000);
    const narrow = await ask('2026-11-02', '2026-11-20');
    expect(narrow.body.meta.truncated).toBeUndefined();
    expect(narrow.body.data).toHaveLength(5 * 18);
  });

  test('is built from at most 16 MiB of events', async () => {
    await store(200, { rule: null, description: 'x'.repeat(100_000) });
    const { body } = await ask('2026-11-01', '2026-12-01');
    expect(body.meta.truncated).toBe(true);
    expect(body.data.length).toBeGreaterThan(100);
    expect(body.data[0].title).toBe('Event 1');
  });
});
