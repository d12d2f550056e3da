import {
  createCalendar,
  createEvents,
  createUser,
  createWorkspace,
  openTestServices,
  type TestServices,
} from '@firmdesk/testing';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sqlOf } from '../../platform/database/database.ts';
import { InvalidEventsError } from './insert-events.ts';
import type { NewEvent } from './new-event.ts';

let env: TestServices;
let calendar: number;
let owner: { id: string };
beforeAll(async () => {
  env = await openTestServices(inject('postgresUrl'));
  const firm = await createWorkspace(env.services);
  owner = await createUser(env.services, { firm });
  calendar = await createCalendar(env.services, { firm, owner });
});
afterAll(() => env[Symbol.asyncDispose]());

function insert(...events: Partial<NewEvent>[]): Promise<number[]> {
  return createEvents(
    env.services,
    events.map((event) => ({ calendar_id: calendar, ...event })),
  );
}

async function rowOf(id: number | undefined) {
  const db = sqlOf(env.services.orm);
  return db.selectFrom('events').selectAll().where('id', '=', id!).executeTakeFirstOrThrow();
}

async function overridesOf(id: number | undefined) {
  const db = sqlOf(env.services.orm);
  return db.selectFrom('event_overrides').selectAll().where('event_id', '=', id!).execute();
}

async function problemsOf(...events: Partial<NewEvent>[]) {
  const error = await insert(...events).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InvalidEventsError);
  return (error as InvalidEventsError).problems;
}

describe('times', () => {
  test('stores an instant as a wall time, and the current name of its zone', async () => {
    const [id] = await insert({
      starts_at: '2026-03-01T10:00:00.000000+01:00',
      ends_at: '2026-03-01T09:30:00Z',
      timezone: 'US/Eastern',
    });
    expect(await rowOf(id)).toMatchObject({
      local_start: '2026-03-01T04:00:00',
      local_end: '2026-03-01T04:30:00',
      timezone: 'America/New_York',
      span_start: '2026-03-01T09:00:00.000Z',
      span_end: '2026-03-01T09:30:00.000Z',
    });
  });

  test('keeps an instant in the second pass of a repeated hour', async () => {
    const [id] = await insert({
      starts_at: '2026-11-01T06:30:00Z',
      ends_at: '2026-11-01T07:00:00Z',
      timezone: 'America/New_York',
    });
    expect(await rowOf(id)).toMatchObject({
      local_start: '2026-11-01T06:30:00Z',
      local_end: '2026-11-01T02:00:00',
      span_start: '2026-11-01T06:30:00.000Z',
      span_end: '2026-11-01T07:00:00.000Z',
    });
  });

  test('stores the days of an all-day event in its zone', async () => {
    const [id] = await insert({
      starts_at: '2026-11-20T15:00:00Z',
      ends_at: '2026-11-22T15:00:00Z',
      timezone: 'Asia/Tokyo',
      all_day: true,
    });
    expect(await rowOf(id)).toMatchObject({
      local_start: '2026-11-21',
      local_end: '2026-11-23',
      span_start: '2026-11-20T15:00:00.000Z',
      span_end: '2026-11-22T15:00:00.000Z',
    });
  });
});

test('the span of a series includes moved occurrences', async () => {
  const [endless, counted, moved] = await insert(
    { recurrence_rule: 'FREQ=DAILY' },
    { recurrence_rule: 'FREQ=DAILY;COUNT=3' },
    {
      recurrence_rule: 'FREQ=DAILY;COUNT=3',
      overrides: [{ occurrence_start: '2026-11-24T09:00:00Z', starts_at: '2027-01-05T09:00:00Z' }],
    },
  );
  expect((await rowOf(endless)).span_end).toBeNull();
  expect((await rowOf(counted)).span_end).toBe('2026-11-25T10:00:00.000Z');
  expect((await rowOf(moved)).span_end).toBe('2027-01-05T10:00:00.000Z');
  const [override] = await overridesOf(moved);
  expect(override).toMatchObject({ occurrence_start: '2026-11-24T09:00:00', local_end: null });
  expect(override!.span_start).toBe('2026-11-24T09:00:00.000Z');
  expect(override!.span_end! > '2027-01-05T10:00:00.000Z').toBe(true);
});

test('reads an UNTIL of the wrong form in the zone', async () => {
  const [id] = await insert({ recurrence_rule: 'FREQ=DAILY;UNTIL=20261125T090000', timezone: 'Asia/Tokyo' });
  expect((await rowOf(id)).recurrence_rule).toBe('FREQ=DAILY;UNTIL=20261125T000000Z');
});

test('schedules a reminder before the next occurrence', async () => {
  const now = env.clock.now().getTime();
  const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
  const [id] = await insert({
    starts_at: at(-23),
    ends_at: at(-22),
    recurrence_rule: 'FREQ=DAILY',
    reminders: [
      { user_id: owner.id, minutes_before: 30, channel: 'push' },
      { user_id: owner.id, minutes_before: 90, channel: 'push' },
    ],
  });
  const db = sqlOf(env.services.orm);
  const rows = await db
    .selectFrom('event_reminders')
    .selectAll()
    .where('event_id', '=', id!)
    .orderBy('minutes_before')
    .execute();
  expect(rows.map(({ due_at }) => due_at)).toEqual([at(0.5), at(23.5)]);
});

test('keeps given ids, and never generates them again', async () => {
  const [given, next] = await insert({ id: 900_001 }, {});
  expect(given).toBe(900_001);
  expect(next).toBeGreaterThan(900_001);
  const ids = await insert({ title: 'a' }, { title: 'b' }, { title: 'c' });
  expect(await Promise.all(ids.map(async (id) => (await rowOf(id)).title))).toEqual(['a', 'b', 'c']);
});

test('reports the first problem of each event, and writes nothing', async () => {
  const problems = await problemsOf(
    { title: 'fine, but not alone' },
    { recurrence_rule: 'FREQ=SECONDLY' },
    { timezone: 'Mars/Olympus' },
    { ends_at: '2026-11-23T08:00:00Z' },
    { starts_at: '2026-02-30T09:00:00' },
    { rdates: ['2026-11-24T09:00:00Z', 'soon'] },
    { overrides: [{ occurrence_start: '2026-11-24T09:00:00Z', ends_at: '2026-11-24T08:00:00Z' }] },
    { recurrence_rule: 'FREQ=DAILY', overrides: Array(2).fill({ occurrence_start: '2026-11-24T09:00:00Z' }) },
    { title: 'x'.repeat(1_001) },
  );
  expect(problems.map(({ event, path }) => [event, path])).toEqual([
    [1, 'recurrence_rule'],
    [2, 'timezone'],
    [3, 'ends_at'],
    [4, 'starts_at'],
    [5, 'rdates[1]'],
    [6, 'overrides[0].ends_at'],
    [7, 'overrides[1].occurrence_start'],
    [8, 'title'],
  ]);
  const db = sqlOf(env.services.orm);
  const written = await db
    .selectFrom('events')
    .select('id')
    .where('title', '=', 'fine, but not alone')
    .execute();
  expect(written).toEqual([]);
});
