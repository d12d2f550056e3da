import { createCalendar, type TestUser } from '@firmdesk/testing';
import { createUserWithToken, type Firm, suiteGateway, windowCalls } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const gateway = await suiteGateway();
let firm: Firm;
let me: TestUser;
let token: string;
let calendar: number;

beforeEach(async () => {
  ({ firm, user: me, token } = await createUserWithToken(gateway, { scopes: ['calendar:read'] }));
  calendar = await createCalendar(gateway.services, { firm, owner: me });
});

const { create, ask, list, november } = windowCalls(gateway, () => ({ token, calendar }));

describe('the fields of an occurrence', () => {
  test('include every field of the contract', async () => {
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

  test('are null or empty without a value; occurrence_start is null for a single event', async () => {
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

  test('exclude a deleted tag', async () => {
    const { rows } = await gateway.services.pool.query(
      `insert into tags (workspace_id, name, color, created_at, deleted_at)
       values ($1, 'Old', '#112233', now(), now()) returning id`,
      [firm.id],
    );
    await create({ tag_ids: [rows[0].id] });
    expect(await november()).toMatchObject([{ tags: [] }]);
  });
});

describe('the occurrences of a window', () => {
  const at = async (from: string, until: string) =>
    (await list(from, until)).map(({ title }: { title: string }) => title);

  test('overlap the half-open window', async () => {
    await create({ title: 'nine to ten' });
    expect(await at('2026-11-23T08:00:00Z', '2026-11-23T09:00:00Z')).toEqual([]);
    expect(await at('2026-11-23T08:00:00Z', '2026-11-23T09:00:00.001Z')).toEqual(['nine to ten']);
    expect(await at('2026-11-23T09:59:59.999Z', '2026-11-23T11:00:00Z')).toEqual(['nine to ten']);
    expect(await at('2026-11-23T10:00:00Z', '2026-11-23T11:00:00Z')).toEqual([]);
    expect(await at('2026-11-23T09:20:00Z', '2026-11-23T09:30:00Z')).toEqual(['nine to ten']);
  });

  test('include one without a length if its start is in the window', async () => {
    await create({ title: 'moment', ends_at: '2026-11-23T09:00:00Z' });
    expect(await at('2026-11-23T09:00:00Z', '2026-11-23T10:00:00Z')).toEqual(['moment']);
    expect(await at('2026-11-23T08:00:00Z', '2026-11-23T09:00:00Z')).toEqual([]);
  });

  test('include an all-day one by its days in its zone', async () => {
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

  test('include a moved one at its new time only', async () => {
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

  test('exclude cancelled ones and exception dates', async () => {
    await create({
      recurrence_rule: 'FREQ=DAILY;COUNT=3',
      exdates: ['2026-11-23T09:00:00Z'],
      overrides: [{ occurrence_start: '2026-11-24T09:00:00Z', cancelled: true }],
    });
    expect((await november()).map((event: { starts_at: string }) => event.starts_at)).toEqual([
      '2026-11-25T09:00:00.000Z',
    ]);
  });

  test('are sorted by start, end and id', async () => {
    const [long, first, second] = await create(
      { title: 'long', ends_at: '2026-11-23T12:00:00Z' },
      { title: 'first' },
      { title: 'second' },
      { title: 'early', starts_at: '2026-11-23T08:00:00Z' },
    );
    const ids = (await november()).map(({ id }: { id: number }) => id);
    expect(ids.slice(1)).toEqual([first, second, long]);
  });

  test('are truncated to the first 10,000, with meta.truncated', async () => {
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
