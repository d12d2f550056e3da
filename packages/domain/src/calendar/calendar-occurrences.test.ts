import { beforeEach, describe, expect, test } from 'vitest';
import { createUserWithToken, type Firm, suiteGateway, tokenOf } from '../testing/gateway.ts';
import {
  createCalendar,
  createEvents,
  createUser,
  createWorkspace,
  type TestUser,
} from '../testing/index.ts';

const LIST = 'GET /v1/me/calendar/events';
type EventInput = Parameters<typeof createEvents>[1][number];

const gateway = await suiteGateway();
let firm: Firm;
let me: TestUser;
let token: string;
let calendar: number;

beforeEach(async () => {
  ({ firm, user: me, token } = await createUserWithToken(gateway, { scopes: ['calendar:read'] }));
  calendar = await createCalendar(gateway.services, { firm, owner: me });
});

const create = (...events: Omit<EventInput, 'calendar_id'>[]) =>
  createEvents(
    gateway.services,
    events.map((event) => ({ calendar_id: calendar, ...event })),
  );
const ask = (query: Record<string, string> | string, bearer = token) =>
  gateway.request(`${LIST}?${new URLSearchParams(query)}`, { token: bearer });
const list = async (from: string, until: string, bearer = token) =>
  (await ask({ from, until }, bearer)).body.data;
const november = (bearer = token) => list('2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z', bearer);

describe('what an occurrence shows', () => {
  test('every field of the contract', async () => {
    const tag = await gateway.services.pool.query(
      `insert into tags (workspace_id, name, color, created_at) values ($1, 'Desk', '#112233', now()) returning id`,
      [firm.id],
    );
    const [id] = await create({
      title: 'Stand-up',
      description: 'What is new',
      location: 'Room 1',
      starts_at: '2026-11-23T09:00:00',
      ends_at: '2026-11-23T09:15:00',
      timezone: 'Europe/Berlin',
      status: 'pending',
      source: 'mail',
      recurrence_rule: 'FREQ=WEEKLY;COUNT=2',
      conference: { provider: 'zoom', url: 'https://zoom.us/j/1', meeting_id: '1', passcode: null },
      organizer: { name: 'Ann', email: 'ann@example.com' },
      attendees: [{ name: 'Bob', email: 'bob@example.com', response: 'accepted', is_optional: true }],
      reminders: [{ user_id: me.id, minutes_before: 10, channel: 'push' }],
      tag_ids: [tag.rows[0].id],
    });
    const { body } = await ask({ from: '2026-11-30', until: '2026-12-01' });
    expect(body).toEqual({
      data: [
        {
          object: 'calendar_event',
          id,
          occurrence_start: '2026-11-30T08:00:00.000Z',
          calendar_id: calendar,
          title: 'Stand-up',
          description: 'What is new',
          location: 'Room 1',
          starts_at: '2026-11-30T08:00:00.000Z',
          ends_at: '2026-11-30T08:15:00.000Z',
          all_day: false,
          timezone: 'Europe/Berlin',
          status: 'pending',
          source: 'mail',
          is_recurring: true,
          recurrence_rule: 'FREQ=WEEKLY;COUNT=2',
          conference: { provider: 'zoom', url: 'https://zoom.us/j/1', meeting_id: '1', passcode: null },
          organizer: { name: 'Ann', email: 'ann@example.com' },
          attendees: [
            {
              name: 'Bob',
              email: 'bob@example.com',
              response: 'accepted',
              is_organizer: false,
              is_optional: true,
            },
          ],
          reminders: [{ minutes_before: 10, channel: 'push' }],
          tags: [{ id: tag.rows[0].id, name: 'Desk', color: '#112233' }],
          can_write: true,
        },
      ],
      meta: {
        request_id: expect.stringMatching(/^req_/),
        from: '2026-11-30T00:00:00.000Z',
        until: '2026-12-01T00:00:00.000Z',
      },
    });
  });

  test('a single event has no occurrence_start, and nulls where it says nothing', async () => {
    await create({});
    expect(await november()).toMatchObject([
      {
        occurrence_start: null,
        is_recurring: false,
        recurrence_rule: null,
        description: null,
        conference: { provider: null, url: null, meeting_id: null, passcode: null },
        organizer: { name: null, email: null },
        attendees: [],
        reminders: [],
        tags: [],
      },
    ]);
  });

  test('a deleted tag is not shown', async () => {
    const { rows } = await gateway.services.pool.query(
      `insert into tags (workspace_id, name, color, created_at, deleted_at)
       values ($1, 'Old', '#112233', now(), now()) returning id`,
      [firm.id],
    );
    await create({ tag_ids: [rows[0].id] });
    expect(await november()).toMatchObject([{ tags: [] }]);
  });
});

describe('which occurrences belong to a window', () => {
  const at = async (from: string, until: string) =>
    (await list(from, until)).map(({ title }: { title: string }) => title);

  test('those that overlap it, half-open', async () => {
    await create({ title: 'nine to ten' });
    expect(await at('2026-11-23T08:00:00Z', '2026-11-23T09:00:00Z')).toEqual([]);
    expect(await at('2026-11-23T08:00:00Z', '2026-11-23T09:00:00.001Z')).toEqual(['nine to ten']);
    expect(await at('2026-11-23T09:59:59.999Z', '2026-11-23T11:00:00Z')).toEqual(['nine to ten']);
    expect(await at('2026-11-23T10:00:00Z', '2026-11-23T11:00:00Z')).toEqual([]);
    expect(await at('2026-11-23T09:20:00Z', '2026-11-23T09:30:00Z')).toEqual(['nine to ten']);
  });

  test('one without a length, where the window holds its moment', async () => {
    await create({ title: 'moment', ends_at: '2026-11-23T09:00:00Z' });
    expect(await at('2026-11-23T09:00:00Z', '2026-11-23T10:00:00Z')).toEqual(['moment']);
    expect(await at('2026-11-23T08:00:00Z', '2026-11-23T09:00:00Z')).toEqual([]);
  });

  test('an all-day one by its days in its zone', async () => {
    await create({
      title: 'day',
      starts_at: '2026-11-23',
      ends_at: '2026-11-24',
      all_day: true,
      timezone: 'Asia/Tokyo',
    });
    expect(await at('2026-11-22T14:00:00Z', '2026-11-22T15:00:00Z')).toEqual([]);
    expect(await at('2026-11-22T15:00:00Z', '2026-11-22T16:00:00Z')).toEqual(['day']);
    expect(await at('2026-11-23T15:00:00Z', '2026-11-23T16:00:00Z')).toEqual([]);
    expect(await november()).toMatchObject([
      { all_day: true, starts_at: '2026-11-22T15:00:00.000Z', ends_at: '2026-11-23T15:00:00.000Z' },
    ]);
  });

  test('one that was moved, by where it was moved to; its slot is empty', async () => {
    const [id] = await create({
      recurrence_rule: 'FREQ=DAILY;COUNT=3',
      overrides: [
        {
          occurrence_start: '2026-11-24T09:00:00Z',
          starts_at: '2027-03-01T12:00:00Z',
          ends_at: '2027-03-01T12:30:00Z',
          title: 'Moved',
        },
      ],
    });
    expect((await november()).map((event: { starts_at: string }) => event.starts_at)).toEqual([
      '2026-11-23T09:00:00.000Z',
      '2026-11-25T09:00:00.000Z',
    ]);
    expect(await list('2027-03-01', '2027-03-02')).toMatchObject([
      {
        id,
        title: 'Moved',
        occurrence_start: '2026-11-24T09:00:00.000Z',
        starts_at: '2027-03-01T12:00:00.000Z',
        ends_at: '2027-03-01T12:30:00.000Z',
      },
    ]);
    expect(await list('2026-11-24', '2026-11-25')).toEqual([]);
  });

  test('a cancelled and an excluded one nowhere', async () => {
    await create({
      recurrence_rule: 'FREQ=DAILY;COUNT=3',
      exdates: ['2026-11-23T09:00:00Z'],
      overrides: [{ occurrence_start: '2026-11-24T09:00:00Z', cancelled: true }],
    });
    expect((await november()).map((event: { starts_at: string }) => event.starts_at)).toEqual([
      '2026-11-25T09:00:00.000Z',
    ]);
  });

  test('by start, then end, then id', async () => {
    const [long, first, second] = await create(
      { title: 'long', ends_at: '2026-11-23T12:00:00Z' },
      { title: 'first' },
      { title: 'second' },
      { title: 'early', starts_at: '2026-11-23T08:00:00Z' },
    );
    const ids = (await november()).map(({ id }: { id: number }) => id);
    expect(ids.slice(1)).toEqual([first, second, long]);
  });

  test('more than 10,000: the first of them, and word of it', async () => {
    const hourly = { starts_at: '2026-01-01T00:00:00Z', ends_at: '2026-01-01T00:10:00Z' };
    await create(...Array(6).fill({ ...hourly, recurrence_rule: 'FREQ=HOURLY' }));
    const within = await ask({ from: '2026-03-01', until: '2026-05-09T10:00:00' });
    expect(within.body.data).toHaveLength(9_996);
    expect(within.body.meta).not.toHaveProperty('truncated');
    const beyond = await ask({ from: '2026-03-01', until: '2026-05-10' });
    expect(beyond.body.data).toHaveLength(10_000);
    expect(beyond.body.meta.truncated).toBe(true);
    expect(beyond.body.data.slice(0, 9_996)).toEqual(within.body.data);
  });
});

describe('what a viewer may see', () => {
  let viewer: TestUser;
  let theirs: string;
  const share = (level: 'busy' | 'read' | 'write', user = viewer) =>
    gateway.services.pool.query(
      'insert into calendar_shares (calendar_id, user_id, level) values ($1, $2, $3)',
      [calendar, user.id, level],
    );
  beforeEach(async () => {
    ({ user: viewer, token: theirs } = await createUserWithToken(gateway, {
      firm,
      scopes: ['calendar:read'],
    }));
  });
  const secrets = {
    title: 'Payroll of Ann',
    description: 'secret',
    location: 'vault',
    recurrence_rule: 'FREQ=WEEKLY;COUNT=2',
    source: 'mail' as const,
    conference: { url: 'https://zoom.us/j/1' },
    organizer: { name: 'Ann', email: 'ann@example.com' },
    attendees: [{ email: 'bob@example.com' }],
  };

  test('at busy, when and no more: two events of the same times look alike to the byte', async () => {
    await share('busy');
    const overrides = [{ occurrence_start: '2026-11-30T09:00:00Z', title: 'secret too', location: 'cellar' }];
    const plain = { title: 'x', recurrence_rule: 'FREQ=WEEKLY;COUNT=2' };
    const [one, two] = await create(
      { ...secrets, overrides, reminders: [{ user_id: viewer.id, minutes_before: 5, channel: 'push' }] },
      plain,
    );
    const shown = await november(theirs);
    expect(shown).toHaveLength(4);
    const textOf = (id: number | undefined) =>
      JSON.stringify(
        shown
          .filter((event: { id: number }) => event.id === id)
          .map((event: object) => ({ ...event, id: 0 })),
      );
    expect(textOf(one)).toBe(textOf(two));
    expect(shown[0]).toEqual({
      object: 'calendar_event',
      id: one,
      occurrence_start: '2026-11-23T09:00:00.000Z',
      calendar_id: calendar,
      title: 'Busy',
      description: null,
      location: null,
      starts_at: '2026-11-23T09:00:00.000Z',
      ends_at: '2026-11-23T10:00:00.000Z',
      all_day: false,
      timezone: 'UTC',
      status: 'confirmed',
      source: 'manual',
      is_recurring: true,
      recurrence_rule: null,
      conference: { provider: null, url: null, meeting_id: null, passcode: null },
      organizer: { name: null, email: null },
      attendees: [],
      reminders: [],
      tags: [],
      can_write: false,
    });
  });

  test.each([
    ['read', false],
    ['write', true],
  ] as const)('at %s, everything; and whether they may change it', async (level, canWrite) => {
    await share(level);
    await create(secrets);
    expect((await november(theirs))[0]).toMatchObject({ title: 'Payroll of Ann', can_write: canWrite });
  });

  test('reminders are the caller’s own', async () => {
    await share('read');
    await create({ reminders: [{ user_id: me.id, minutes_before: 10, channel: 'push' }] });
    expect(await november(theirs)).toMatchObject([{ reminders: [] }]);
    expect(await november()).toMatchObject([{ reminders: [{ minutes_before: 10, channel: 'push' }] }]);
  });

  test('a calendar of another firm stays there, even shared and named', async () => {
    const other = await createWorkspace(gateway.services);
    const owner = await createUser(gateway.services, { firm: other });
    const far = await createCalendar(gateway.services, {
      firm: other,
      owner,
      shares: [{ user: me, level: 'write' }],
    });
    await createEvents(gateway.services, [{ calendar_id: far }]);
    expect(await november()).toEqual([]);
    expect((await ask({ from: '2026-11-01', 'calendars[]': String(far) })).body.data).toEqual([]);
  });

  test('who may open no calendar is refused, whatever ids and dates they name', async () => {
    const tooWide = { from: '2026-01-01', until: '2026-12-01' };
    for (const query of [{}, { 'calendars[]': String(calendar) }, { from: 'x' }, tooWide]) {
      const { status, body } = await ask(query, theirs);
      expect([status, body.error.code]).toEqual([403, 'calendar_not_permitted']);
    }
    await share('busy');
    expect((await ask({}, theirs)).status).toBe(200);
  });
});

describe('calendars[]', () => {
  test('names the calendars; what is no id, or not in reach, is passed over', async () => {
    const second = await createCalendar(gateway.services, { firm, owner: me });
    const [mine] = await create({});
    const [other] = await createEvents(gateway.services, [{ calendar_id: second }]);
    const ids = async (...calendars: (number | string)[]) => {
      const query = new URLSearchParams({ from: '2026-11-01', until: '2026-12-01' });
      for (const id of calendars) query.append('calendars[]', String(id));
      const { status, body } = await ask(query.toString());
      expect(status).toBe(200);
      return body.data.map(({ id }: { id: number }) => id);
    };
    expect(await ids()).toEqual([mine, other]);
    expect(await ids(calendar)).toEqual([mine]);
    expect(await ids(calendar, second, calendar)).toEqual([mine, other]);
    expect(await ids(second, 'x', '', '1.5', -1, '99999999999', '1e1')).toEqual([other]);
    for (const none of ['', 'x', '0', '2147483647', `${calendar}x`, ` ${calendar}`])
      expect(await ids(none)).toEqual([]);
  });
});

test('calendars[] takes the greatest id that a calendar can have', async () => {
  const greatest = 2_147_483_647;
  await gateway.services.pool.query('update calendars set id = $1 where id = $2', [greatest, calendar]);
  try {
    const [id] = await createEvents(gateway.services, [{ calendar_id: greatest }]);
    const { body } = await ask({ from: '2026-11-01', 'calendars[]': String(greatest) });
    expect(body.data.map((event: { id: number }) => event.id)).toEqual([id]);
  } finally {
    await gateway.services.pool.query('delete from calendars where id = $1', [greatest]);
  }
});

test('a token sees the calendars of its own workspace only', async () => {
  await create({});
  const other = await createWorkspace(gateway.services);
  await createUser(gateway.services, { firm: other });
  const elsewhere = await tokenOf(gateway, me, other.slug);
  expect((await ask({}, elsewhere)).body.error.code).toBe('calendar_not_permitted');
});
