import { MAX_EVENTS_PER_CALENDAR } from '@firmdesk/contract';
import {
  createCalendar,
  createEvents,
  createUser,
  createWorkspace,
  openTestServices,
  type TestServices,
} from '@firmdesk/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { withTransaction } from '../../platform/database/transaction.ts';
import { INVITATION_EVENTS } from '../limits.ts';
import { applyInvitations } from './apply-invitations.ts';
import type { InvitationSender } from './invitation-sender.ts';
import { readInvitations } from './read-invitations.ts';

let env: TestServices;
let firm: Awaited<ReturnType<typeof createWorkspace>>;
let person: { id: string };
beforeAll(async () => {
  env = await openTestServices(inject('postgresUrl'));
  firm = await createWorkspace(env.services);
});
afterAll(() => env[Symbol.asyncDispose]());
beforeEach(async () => {
  person = await createUser(env.services, { firm });
});

const ORGANIZER = 'ORGANIZER;CN=Ann:mailto:ann@example.com';
const message = (method: string, ...lines: string[]) =>
  [
    'BEGIN:VCALENDAR',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    'UID:m1',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n');
const request = (sequence: number, start: string, ...lines: string[]) =>
  message(
    'REQUEST',
    `SEQUENCE:${sequence}`,
    `DTSTART:${start}`,
    'DURATION:PT1H',
    'SUMMARY:Review',
    ...(lines.length ? lines : [ORGANIZER]),
  );
const apply = (...parts: string[]) => applyFrom({ from: 'ann@example.com', sender: null }, ...parts);
const applyFrom = async (
  sender: Omit<InvitationSender, 'check'> & Partial<InvitationSender>,
  ...texts: string[]
) => {
  const parts = texts.map((text) => ({ text, method: null }));
  const invitations = await readInvitations({ queue: person.id, log: env.log }, parts, 'UTC');
  const invitee = { userId: person.id, workspaceId: firm.id };
  const outcomes = await withTransaction(env.services, (ctx) =>
    applyInvitations(ctx, invitee, { check: null, ...sender }, invitations),
  );
  return outcomes.map(({ outcome }) => outcome);
};
const events = async () =>
  (
    await env.services.pool.query(
      `select e.title, e.status, e.source, e.local_start, c.name from events e join calendars c on c.workspace_id = e.workspace_id and c.id = e.calendar_id
       where c.workspace_id = $2 and c.owner_id = $1 order by e.id`,
      [person.id, firm.id],
    )
  ).rows;
const confirm = () => env.services.pool.query(`update events set status = 'confirmed'`);

test('a REQUEST creates a pending event in the first calendar, which is created if there is none', async () => {
  expect(await apply(request(0, '20261123T090000Z'))).toEqual(['added']);
  expect(await events()).toEqual([
    {
      title: 'Review',
      status: 'pending',
      source: 'mail',
      local_start: '2026-11-23T09:00:00',
      name: 'Calendar',
    },
  ]);
});

test('a repeated REQUEST changes nothing; a later version updates the event, and resets the answer only for new times', async () => {
  await createCalendar(env.services, { firm, owner: person });
  await apply(request(0, '20261123T090000Z'));
  await confirm();
  await apply(request(0, '20261123T090000Z'));
  expect(await events()).toMatchObject([{ status: 'confirmed', name: 'Diary' }]);
  expect(await apply(request(2, '20261124T090000Z'))).toEqual(['changed']);
  expect(await events()).toMatchObject([{ status: 'pending', local_start: '2026-11-24T09:00:00' }]);
  expect(await apply(request(1, '20261125T090000Z'))).toEqual([]);
  expect(await events()).toMatchObject([{ local_start: '2026-11-24T09:00:00' }]);
});

test('a CANCEL deletes the event; an older one, or one of an unknown event, is ignored', async () => {
  await apply(request(2, '20261123T090000Z'));
  expect(await apply(message('CANCEL', 'SEQUENCE:1', 'DTSTART:20261123T090000Z', ORGANIZER))).toEqual([]);
  expect(await events()).toHaveLength(1);
  expect(await apply(message('CANCEL', 'SEQUENCE:3', 'DTSTART:20261123T090000Z', ORGANIZER))).toEqual([
    'cancelled',
  ]);
  expect(await events()).toEqual([]);
  expect(await apply(message('CANCEL', 'SEQUENCE:3', 'DTSTART:20261123T090000Z', ORGANIZER))).toEqual([]);
});

test('a RECURRENCE-ID moves or cancels one occurrence', async () => {
  await apply(request(0, '20261123T090000Z', ORGANIZER, 'RRULE:FREQ=DAILY;COUNT=3'));
  await confirm();
  await apply(request(1, '20261124T120000Z', ORGANIZER, 'RECURRENCE-ID:20261124T090000Z'));
  await apply(
    message('CANCEL', 'SEQUENCE:2', ORGANIZER, 'RECURRENCE-ID:20261125T090000Z', 'DTSTART:20261125T090000Z'),
  );
  const { rows } = await env.services.pool.query(
    `select o.occurrence_start, o.cancelled, o.local_start from event_overrides o
     join calendars c on c.workspace_id = o.workspace_id and c.id = o.calendar_id where c.owner_id = $1 order by 1`,
    [person.id],
  );
  expect(rows).toEqual([
    { occurrence_start: '2026-11-24T09:00:00', cancelled: false, local_start: '2026-11-24T12:00:00' },
    { occurrence_start: '2026-11-25T09:00:00', cancelled: true, local_start: null },
  ]);
  expect(await events()).toMatchObject([{ status: 'confirmed', local_start: '2026-11-23T09:00:00' }]);
});

test('ignores an older version of an occurrence', async () => {
  await apply(request(0, '20261123T090000Z', ORGANIZER, 'RRULE:FREQ=DAILY;COUNT=3'));
  const occurrence = [ORGANIZER, 'RECURRENCE-ID:20261124T090000Z'];
  expect(await apply(request(3, '20261124T120000Z', ...occurrence))).toEqual(['changed']);
  expect(await apply(request(2, '20261124T150000Z', ...occurrence))).toEqual([]);
  expect(await apply(message('CANCEL', 'SEQUENCE:2', 'DTSTART:20261124T090000Z', ...occurrence))).toEqual([]);
  const { rows } = await env.services.pool.query(
    `select o.local_start, o.cancelled from event_overrides o join calendars c on c.workspace_id = o.workspace_id and c.id = o.calendar_id where c.owner_id = $1`,
    [person.id],
  );
  expect(rows).toEqual([{ local_start: '2026-11-24T12:00:00', cancelled: false }]);
});

test('ignores other senders, and never changes events that did not come by mail', async () => {
  await apply(request(0, '20261123T090000Z'));
  const mallory = { from: 'mallory@example.com', sender: null };
  expect(await applyFrom(mallory, request(9, '20261124T090000Z'))).toEqual([]);
  expect(
    await applyFrom(mallory, message('CANCEL', 'SEQUENCE:9', ORGANIZER, 'DTSTART:20261123T090000Z')),
  ).toEqual([]);
  expect(await events()).toMatchObject([{ local_start: '2026-11-23T09:00:00' }]);
  await env.services.pool.query(`update events set source = 'manual'`);
  expect(await apply(message('CANCEL', 'SEQUENCE:9', ORGANIZER, 'DTSTART:20261123T090000Z'))).toEqual([]);
});

test('ignores an event with the same UID of another account', async () => {
  const other = await createUser(env.services, { firm });
  const calendar = await createCalendar(env.services, { firm, owner: other });
  await createEvents(env.services, [
    { calendar_id: calendar, uid: 'm1', source: 'mail', organizer: { email: 'ann@example.com' } },
  ]);
  expect(await apply(message('CANCEL', 'SEQUENCE:9', ORGANIZER, 'DTSTART:20261123T090000Z'))).toEqual([]);
});

test.each([
  '',
  'junk',
  message('REPLY', 'DTSTART:20261123T090000Z', ORGANIZER),
  message('PUBLISH', 'DTSTART:20261123T090000Z', ORGANIZER),
  message('REQUEST', 'DTSTART:never', ORGANIZER),
  message('REQUEST', ORGANIZER),
  message('REQUEST', 'DTSTART:20261123T090000Z'),
  message('CANCEL', 'RECURRENCE-ID:20261123T090000Z', ORGANIZER),
])('ignores %j without an error', async (ics) => {
  expect(await apply(ics)).toEqual([]);
  expect(await events()).toEqual([]);
});

test('two concurrent REQUESTs create one event', async () => {
  const outcomes = await Promise.all([
    apply(request(0, '20261123T090000Z')),
    apply(request(1, '20261124T090000Z')),
  ]);
  expect(outcomes.flat()).toContain('added');
  expect(await events()).toMatchObject([{ local_start: '2026-11-24T09:00:00' }]);
});

/** Returns all orders of some items. */
const orders = <T>(items: readonly T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, i) => orders(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
const DAILY = [ORGANIZER, 'RRULE:FREQ=DAILY;COUNT=3'];
const occurrence = (day: number) => `RECURRENCE-ID:202611${day}T090000Z`;

test.each([
  [
    'the last invitation',
    [
      [0, 23],
      [1, 24],
      [3, 25],
    ],
    [2],
    '2026-11-25T09:00:00',
  ],
  [
    'the cancellation',
    [
      [0, 23],
      [1, 24],
    ],
    [2],
    undefined,
  ],
] as const)('in whatever order the versions arrive, %s counts', async (_, requests, cancels, start) => {
  const messages = [
    ...requests.map(([sequence, day]) => request(sequence, `202611${day}T090000Z`)),
    ...cancels.map((sequence) => message('CANCEL', `SEQUENCE:${sequence}`, ORGANIZER)),
  ];
  for (const order of orders(messages)) {
    person = await createUser(env.services, { firm });
    for (const text of order) await apply(text);
    expect((await events()).map(({ local_start }) => local_start)).toEqual(start ? [start] : []);
  }
});

test('in whatever order a series and its occurrences arrive, the last version of each occurrence counts', async () => {
  const messages = [
    request(0, '20261123T090000Z', ...DAILY),
    request(1, '20261124T120000Z', ORGANIZER, occurrence(24)),
    request(3, '20261124T150000Z', ORGANIZER, occurrence(24)),
    message('CANCEL', 'SEQUENCE:2', ORGANIZER, occurrence(25)),
  ];
  for (const order of orders(messages)) {
    person = await createUser(env.services, { firm });
    for (const text of order) await apply(text);
    const { rows } = await env.services.pool.query(
      `select e.recurrence_rule as rule, o.occurrence_start as id, o.cancelled, o.local_start as start
       from events e join event_overrides o on o.workspace_id = e.workspace_id and o.event_id = e.id
       join calendars c on c.workspace_id = e.workspace_id and c.id = e.calendar_id where c.owner_id = $1 order by 2`,
      [person.id],
    );
    const rule = 'FREQ=DAILY;COUNT=3';
    expect(rows, JSON.stringify(order)).toEqual([
      { rule, id: '2026-11-24T09:00:00', cancelled: false, start: '2026-11-24T15:00:00' },
      { rule, id: '2026-11-25T09:00:00', cancelled: true, start: null },
    ]);
  }
});

test('concurrent versions end in the last one', async () => {
  await Promise.all([
    apply(request(0, '20261123T090000Z')),
    apply(message('CANCEL', 'SEQUENCE:2', ORGANIZER)),
    apply(request(1, '20261124T090000Z')),
    apply(request(3, '20261125T090000Z')),
  ]);
  expect(await events()).toMatchObject([{ local_start: '2026-11-25T09:00:00' }]);
});

const STAMP = 'DTSTAMP:20261101T090000Z';
const LATER = 'DTSTAMP:20261101T100000Z';

test('a sender whose domain disowns the mail changes and cancels nothing; one that was checked is its From only', async () => {
  const cancel = message('CANCEL', 'SEQUENCE:9', ORGANIZER);
  await apply(request(0, '20261123T090000Z', ORGANIZER, STAMP));
  const ann = 'ann@example.com';
  expect(await applyFrom({ from: ann, sender: null, check: 'failed' }, cancel)).toEqual([]);
  const relayed = { from: 'mallory@example.com', sender: ann };
  for (const check of ['verified', 'unverified'] as const)
    expect(await applyFrom({ ...relayed, check }, cancel)).toEqual([]);
  expect(await applyFrom({ from: ann, sender: null, check: 'verified' }, cancel)).toEqual(['cancelled']);
  // Its cancellation does not count before the invitation either.
  await applyFrom({ from: ann, sender: null, check: 'failed' }, message('CANCEL', 'SEQUENCE:12', ORGANIZER));
  expect(await apply(request(10, '20261123T090000Z', ORGANIZER, STAMP))).toEqual(['added']);
});

test('only its organizer may change an event whose sender is not recorded', async () => {
  await applyFrom({ from: 'aide@example.com', sender: null }, request(0, '20261123T090000Z'));
  await env.services.pool.query(`update events set sender_email = null`);
  const later = request(1, '20261124T090000Z');
  expect(await applyFrom({ from: 'aide@example.com', sender: null }, later)).toEqual([]);
  expect(await apply(later)).toEqual(['changed']);
});

test('a change of the recipient survives a copy of the version, and gives way to the next one', async () => {
  const version = (stamp: string) => request(0, '20261123T090000Z', ORGANIZER, stamp);
  await apply(version(STAMP));
  await env.services.pool.query(`update events set title = 'Mine'`);
  expect(await apply(version(STAMP))).toEqual([]);
  expect(await events()).toMatchObject([{ title: 'Mine' }]);
  expect(await apply(version(LATER))).toEqual(['changed']);
  expect(await events()).toMatchObject([{ title: 'Review' }]);
});

test('says which parts changed the calendar', async () => {
  const parts = [
    { text: message('PUBLISH', 'DTSTART:20261123T090000Z', ORGANIZER), method: null },
    { text: request(0, '20261123T090000Z'), method: null },
    { text: 'junk', method: 'REQUEST' },
  ];
  const invitations = await readInvitations({ queue: person.id, log: env.log }, parts, 'UTC');
  const outcomes = await withTransaction(env.services, (ctx) =>
    applyInvitations(
      ctx,
      { userId: person.id, workspaceId: firm.id },
      { from: 'ann@example.com', sender: null, check: null },
      invitations,
    ),
  );
  expect(outcomes).toMatchObject([{ part: 1, outcome: 'added' }]);
});

describe('a mail with many invitations', () => {
  const hostile = (from: number, to: number) =>
    [
      'BEGIN:VCALENDAR',
      'METHOD:REQUEST',
      ...Array.from({ length: to - from }, (_, i) => [
        'BEGIN:VEVENT',
        `UID:h${from + i}`,
        `SUMMARY:Event ${from + i}`,
        `DTSTART;TZID=Europe/Berlin:20261102T09${String(i % 60).padStart(2, '0')}00`,
        'RRULE:FREQ=HOURLY;INTERVAL=5;BYDAY=MO;COUNT=1000000',
        ORGANIZER,
        'END:VEVENT',
      ]).flat(),
      'END:VCALENDAR',
    ].join('\r\n');

  test(`stores the first ${INVITATION_EVENTS} events, and logs that the others are skipped`, async () => {
    expect(await apply(hostile(0, 300))).toEqual(Array(INVITATION_EVENTS).fill('added'));
    expect(env.log.lines).toContainEqual({
      level: 'warn',
      message: 'skipped parts of an invitation',
      fields: {
        skipped: 300 - INVITATION_EVENTS,
        reason: `a document can have at most ${INVITATION_EVENTS} events`,
      },
    });
  });

  test('limits the events of all its parts together', async () => {
    expect(await apply(hostile(0, 30), hostile(30, 60), hostile(60, 90))).toHaveLength(INVITATION_EVENTS);
  });

  test('is read in a thread', async () => {
    // Each event needs the zone tables of 200 years, which takes tens of milliseconds.
    const zones = Array.from({ length: 5 }, (_, i) => [
      'BEGIN:VEVENT',
      `UID:z${i}`,
      `DTSTART;TZID=Europe/Berlin:20261102T090000`,
      'RRULE:FREQ=DAILY',
      `EXDATE;TZID=Europe/Berlin:${Array.from({ length: 200 }, (_, y) => `${2030 + y * 20 + (i % 20)}0701T090000`).join()}`,
      ORGANIZER,
      'END:VEVENT',
    ]).flat();
    const text = ['BEGIN:VCALENDAR', 'METHOD:REQUEST', ...zones, 'END:VCALENDAR'].join('\r\n');
    let yields = 0;
    let isRead = false;
    const reading = readInvitations(
      { queue: person.id, log: env.log },
      [{ text, method: null }],
      'UTC',
    ).finally(() => {
      isRead = true;
    });
    while (!isRead) {
      yields++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await reading)[0]!.series).toHaveLength(5);
    expect(yields).toBeGreaterThan(100);
  });
});

test('skips an invitation for a full calendar, with a warning in the log', async () => {
  const calendar = await createCalendar(env.services, { firm, owner: person });
  await env.services.pool.query(
    `insert into events (workspace_id, calendar_id, title, local_start, local_end, timezone, span_start, span_end, created_at, updated_at)
     select (select workspace_id from calendars where id = $1), $1, 'x', '2020-01-01T09:00:00', '2020-01-01T10:00:00', 'UTC', '2020-01-01', '2020-01-01', now(), now()
     from generate_series(1, $2)`,
    [calendar, MAX_EVENTS_PER_CALENDAR],
  );
  expect(await apply(request(0, '20261123T090000Z'))).toEqual([]);
  expect(env.log.lines).toContainEqual({
    level: 'warn',
    message: 'skipped an invitation: the calendar is full',
    fields: { calendar_id: calendar },
  });
});
