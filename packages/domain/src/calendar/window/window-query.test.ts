import { MAX_WINDOW_OCCURRENCES } from '@firmdesk/contract';
import {
  createCalendar,
  createEvents,
  createUser,
  createWorkspace,
  openTestServices,
  type TestServices,
} from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { WINDOW_CANDIDATES } from '../limits.ts';
import { addRemindersAndTags } from './reminders-and-tags.ts';
import { findCandidates } from './window-query.ts';

let env: TestServices;
let firm: Awaited<ReturnType<typeof createWorkspace>>;
beforeAll(async () => {
  env = await openTestServices(inject('postgresUrl'));
  firm = await createWorkspace(env.services);
});
afterAll(() => env[Symbol.asyncDispose]());

const window = { from: Date.parse('2026-11-01T00:00:00Z'), until: Date.parse('2026-12-01T00:00:00Z') };
async function calendarOf() {
  const owner = await createUser(env.services, { firm });
  const calendar = await createCalendar(env.services, { firm, owner });
  const find = (calendars?: number[]) =>
    findCandidates(env.services.pool, { userId: owner.id, workspaceId: firm.id, window, calendars });
  return { owner, calendar, find };
}

/** Returns the statements that a function sends. */
async function statementsOf(
  run: () => Promise<unknown>,
): Promise<{ name: string; text: string; values: unknown[] }[]> {
  const { pool } = env.services;
  const sent = vi.spyOn(pool, 'query');
  try {
    await run();
    return sent.mock.calls.map(([statement]) => statement as never);
  } finally {
    sent.mockRestore();
  }
}

/** Stores events that start a second before one another, the last one on November 20. */
const store = (calendar: number, count: number, rule: string | null) =>
  env.services.pool.query(
    `insert into events (workspace_id, calendar_id, title, local_start, local_end, timezone, recurrence_rule, span_start, span_end,
       created_at, updated_at)
     select (select workspace_id from calendars where id = $1), $1, 'x', '2026-11-20T09:00:00', '2026-11-20T10:00:00', 'UTC', $3, t, t, now(), now()
     from generate_series(1, $2) as n, lateral (select timestamptz '2026-11-20T09:00:00Z' - n * interval '1 second' as t) as at`,
    [calendar, count, rule],
  );

test('reads at most 20,000 events, sorted by start', async () => {
  const { calendar, find } = await calendarOf();
  await store(calendar, WINDOW_CANDIDATES, 'FREQ=DAILY;COUNT=2');
  expect((await find())!.isTruncated).toBe(false);
  const [late] = await createEvents(env.services, [
    { calendar_id: calendar, starts_at: '2026-11-30T09:00:00Z', ends_at: '2026-11-30T10:00:00Z' },
  ]);
  const { events, isTruncated } = (await find())!;
  expect([events.length, isTruncated]).toEqual([WINDOW_CANDIDATES, true]);
  expect(events.some(({ id }) => id === late)).toBe(false);
});

test('reads the reminders of the events within the limit', async () => {
  const { owner, calendar, find } = await calendarOf();
  await store(calendar, WINDOW_CANDIDATES, 'FREQ=DAILY;COUNT=2');
  const reminders = [{ user_id: owner.id, minutes_before: 10, channel: 'push' as const }];
  const [early] = await createEvents(env.services, [
    { calendar_id: calendar, starts_at: '2026-11-02T09:00:00Z', ends_at: '2026-11-02T10:00:00Z', reminders },
    { calendar_id: calendar, starts_at: '2026-11-30T09:00:00Z', ends_at: '2026-11-30T10:00:00Z', reminders },
  ]);
  const { events, isTruncated } = (await find())!;
  expect(isTruncated).toBe(true);
  await addRemindersAndTags(env.services.pool, { userId: owner.id, workspaceId: firm.id }, events);
  expect(events.filter((event) => event.reminders).map((event) => [event.id, event.reminders])).toEqual([
    [early, [{ minutes_before: 10, channel: 'push' }]],
  ]);
});

test('reads no event after as many single events as a response can contain', async () => {
  const { calendar, find } = await calendarOf();
  await store(calendar, MAX_WINDOW_OCCURRENCES, null);
  const [early] = await createEvents(env.services, [
    { calendar_id: calendar, starts_at: '2026-11-02T09:00:00Z', recurrence_rule: 'FREQ=DAILY' },
    { calendar_id: calendar, starts_at: '2026-11-20T09:00:01Z', recurrence_rule: 'FREQ=DAILY' },
  ]);
  expect((await find())!.events).toHaveLength(MAX_WINDOW_OCCURRENCES + 2);
  expect((await find())!.isTruncated).toBe(false);
  await createEvents(env.services, [{ calendar_id: calendar, starts_at: '2026-11-19T09:00:00Z' }]);
  const { events, isTruncated } = (await find())!;
  expect([events.length, isTruncated]).toEqual([MAX_WINDOW_OCCURRENCES + 2, true]);
  expect(events.some(({ id }) => id === early)).toBe(true);
});

test('reads every event that starts at the same time as the last one of a response', async () => {
  const { calendar, find } = await calendarOf();
  await store(calendar, MAX_WINDOW_OCCURRENCES + 1, null);
  const [id] = await createEvents(env.services, [
    { calendar_id: calendar, starts_at: '2026-11-20T08:59:59Z', ends_at: '2026-11-20T08:59:59Z' },
  ]);
  const { events } = (await find())!;
  expect(events).toHaveLength(MAX_WINDOW_OCCURRENCES + 2);
  expect(events.some((event) => event.id === id)).toBe(true);
});

test('reads of a crowded calendar only the events before the limit, and of another calendar all', async () => {
  const { owner, calendar, find } = await calendarOf();
  await store(calendar, 2 * MAX_WINDOW_OCCURRENCES, null);
  const other = await createCalendar(env.services, { firm, owner });
  const late = { starts_at: '2026-11-30T09:00:00Z', ends_at: '2026-11-30T10:00:00Z' };
  const [id] = await createEvents(env.services, [{ ...late, calendar_id: other }]);
  expect((await find([other]))!.events.map((event) => event.id)).toEqual([id]);
  expect((await find())!.events).toHaveLength(MAX_WINDOW_OCCURRENCES + 1);
  await env.services.pool.query('analyze events');
  const { text, values } = (await statementsOf(find))[0]!;
  const plan = await env.services.pool.query(`explain (analyze, format json) ${text}`, values);
  const scans = rowsOf(plan.rows, 'events_window');
  expect(scans.length).toBeGreaterThan(0);
  // Servers before PostgreSQL 18 round the rows of each loop.
  expect(Math.max(...scans)).toBeCloseTo(MAX_WINDOW_OCCURRENCES + 1, -1);
});

/** Returns how many rows each scan of an index has read. On a cluster, the plan of the shard is inside, and a number follows the name. */
function rowsOf(plan: unknown, index: string): number[] {
  if (typeof plan !== 'object' || plan === null) return [];
  const node = plan as Record<string, unknown>;
  const isOfIndex = String(node['Index Name']).replace(/_\d+$/, '') === index;
  const own = isOfIndex ? [Number(node['Actual Rows']) * Number(node['Actual Loops'])] : [];
  return [...own, ...Object.values(node).flatMap((inner) => rowsOf(inner, index))];
}

test('marks an event with overrides that were not read', async () => {
  const { calendar, find } = await calendarOf();
  const description = 'x'.repeat(100_000);
  const overrides = Array.from({ length: 9 }, (_, i) => ({
    occurrence_start: `2026-11-2${i}T09:00:00Z`,
    description,
  }));
  const ids = await createEvents(
    env.services,
    Array.from({ length: 20 }, () => ({
      calendar_id: calendar,
      starts_at: '2026-11-20T09:00:00Z',
      ends_at: '2026-11-20T10:00:00Z',
      recurrence_rule: 'FREQ=DAILY',
      overrides,
    })),
  );
  const { events, isTruncated } = (await find())!;
  expect(isTruncated).toBe(false);
  const partial = new Map(events.map(({ id, is_partial }) => [id, is_partial]));
  expect([partial.get(ids[0]!), partial.get(ids[17]!)]).toEqual([false, false]);
  expect(partial.get(ids[19]!)).toBe(true);
});

test('reads of a calendar only the range of its index, not all events of the firm', async () => {
  const { calendar, find } = await calendarOf();
  await store(calendar, 1_000, null);
  await env.services.pool.query('analyze events, event_overrides');
  const { text, values } = (await statementsOf(find))[0]!;
  const { rows } = await env.services.pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('events_window');
  expect(plan).not.toContain('BitmapAnd');
});
