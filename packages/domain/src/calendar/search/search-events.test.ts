import type { FoundEvents } from '@firmdesk/contract';
import { createCalendar, createEvents, type TestUser } from '@firmdesk/testing';
import { calendarCalls, createUserWithToken, type Firm, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeEach, expect, test } from 'vitest';
import { fillSearchTexts } from './fill-search-texts.ts';

const gateway = await suiteGateway();
const { services, clock } = gateway;
clock.advance(Date.parse('2026-11-25T12:00:00Z') - clock.now().getTime());
let firm: Firm;
let me: TestUser;
let token: string;
let calendar: number;

beforeEach(async () => {
  ({ firm, user: me, token } = await createUserWithToken(gateway));
  calendar = await createCalendar(services, { firm, owner: me });
});

const { done, create } = calendarCalls(gateway, () => ({ token, calendar }));
const search = (q: string, bearer = token): Promise<FoundEvents> => done('search', { q }, bearer);
const found = async (q: string, bearer = token) =>
  (await search(q, bearer)).data.map(({ title, starts_at }) => `${title} ${starts_at.slice(0, 16)}`);
const at = (time: string) => ({ starts_at: `${time}:00Z`, ends_at: `${time}:30Z` });

test('finds every word in title, place and text, without case and accents, those to come first', async () => {
  await create({ title: 'Déjeuner café', location: 'Straße 4', ...at('2026-11-20T12:00') });
  await create({ title: 'DEJEUNER', description: 'à la\nCAFÉTÉRIA', ...at('2026-12-02T12:00') });
  await create({ title: 'Dejeuner in the cafe', ...at('2026-11-27T12:00') });
  await create({ title: 'Cafe', ...at('2026-11-28T12:00') });
  const all = [
    'Dejeuner in the cafe 2026-11-27T12:00',
    'DEJEUNER 2026-12-02T12:00',
    'Déjeuner café 2026-11-20T12:00',
  ];
  expect(await found('cafe dejeuner')).toEqual(all);
  expect(await found('  DÉJEUNER   Café ')).toEqual(all);
  expect(await found('strasse dejeuner')).toEqual([all[2]]);
  for (const none of ['', '  ', '%', '_', '\\', 'café lunch', "'; drop table events; --"])
    expect(await found(none), none).toEqual([]);
});

test('finds a series once with its next occurrence, a changed occurrence by its own words, and an ended series with its last', async () => {
  const id = await create({ title: 'Stand-up', recurrence_rule: 'FREQ=DAILY', ...at('2026-11-02T09:00') });
  await done('change', {
    id,
    occurrence_start: '2026-11-26T09:00:00.000Z',
    extent: 'this',
    title: 'Stand-up outside',
    starts_at: '2026-11-26T10:00:00Z',
    ends_at: '2026-11-26T10:30:00Z',
  });
  await done('change', {
    id,
    occurrence_start: '2026-12-24T09:00:00.000Z',
    extent: 'this',
    title: 'Mulled wine',
  });
  await create({ title: 'Old stand-up', recurrence_rule: 'FREQ=WEEKLY;COUNT=3', ...at('2026-01-05T09:00') });
  expect(await found('stand-up')).toEqual([
    'Stand-up outside 2026-11-26T10:00',
    'Old stand-up 2026-01-19T09:00',
  ]);
  const { data } = await search('mulled');
  expect(data).toMatchObject([
    { id, title: 'Mulled wine', occurrence_start: '2026-12-24T09:00:00.000Z', is_recurring: true },
  ]);
  await done('delete', { id, occurrence_start: '2026-12-24T09:00:00.000Z', extent: 'this' });
  expect(await found('mulled')).toEqual([]);
  // It begins now: it is not over.
  await create({ title: 'Running', starts_at: '2026-11-25T11:00:00Z', ends_at: '2026-11-25T13:00:00Z' });
  await create({ title: 'Running later', ...at('2026-11-25T14:00') });
  expect(await found('running')).toEqual(['Running 2026-11-25T11:00', 'Running later 2026-11-25T14:00']);
});

test('finds only what the caller can read', async () => {
  await create({ title: 'Secret talks', ...at('2026-11-27T12:00') });
  const { user, token: theirs } = await createUserWithToken(gateway, { firm });
  const share = (level: string | null) => done('share', { calendar_id: calendar, user_id: user.id, level });
  expect(await found('secret', theirs)).toEqual([]);
  for (const [level, count] of [
    ['busy', 0],
    ['read', 1],
    [null, 0],
  ] as const) {
    await share(level);
    expect([level, (await found('secret', theirs)).length]).toEqual([level, count]);
  }
});

test('is bounded: says that more are found, and a series that takes too much work is found with its start', async () => {
  await createEvents(
    services,
    Array.from({ length: 60 }, (_, n) => ({ calendar_id: calendar, title: `Many ${n}` })),
  );
  const many = await search('many');
  expect([many.data.length, many.meta]).toEqual([50, { has_more: true }]);
  await createEvents(services, [
    {
      calendar_id: calendar,
      title: 'Hostile',
      starts_at: '1900-01-01T09:00:00Z',
      ends_at: '1900-01-01T10:00:00Z',
      recurrence_rule: 'FREQ=HOURLY;INTERVAL=168;BYDAY=TU',
    },
  ]);
  expect(await found('hostile')).toEqual(['Hostile 1900-01-01T09:00']);
});

test('finds events of an earlier version, also before the upgrade has made their search texts', async () => {
  const id = await create({ title: 'Fête', recurrence_rule: 'FREQ=DAILY', ...at('2026-11-20T12:00') });
  await done('change', { id, occurrence_start: '2026-11-26T12:00:00.000Z', extent: 'this', title: 'Crêpes' });
  for (const table of ['events', 'event_overrides'])
    await services.pool.query(`update ${table} set search_text = null where workspace_id = $1`, [firm.id]);
  expect([await found('FÊTE'), await found('fete')].map(({ length }) => length)).toEqual([1, 1]);
  await fillSearchTexts(async (statement) => (await services.pool.query(statement)).rows, firm.id);
  for (const q of ['fete', 'crepes']) expect(await found(q)).toHaveLength(1);
});
