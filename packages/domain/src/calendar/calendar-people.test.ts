import { beforeEach, describe, expect, test } from 'vitest';
import { calendarCalls, createUserWithToken, type Firm, meeting, suiteGateway } from '../testing/gateway.ts';
import {
  createCalendar,
  createEvents,
  createUser,
  createWorkspace,
  type TestUser,
} from '../testing/index.ts';

const gateway = await suiteGateway();
let firm: Firm;
let me: TestUser;
let colleague: TestUser;
let token: string;
let theirs: string;
let calendar: number;

beforeEach(async () => {
  ({ firm, user: me, token } = await createUserWithToken(gateway));
  ({ user: colleague, token: theirs } = await createUserWithToken(gateway, { firm }));
  calendar = await createCalendar(gateway.services, { firm, owner: me });
});

const { call, done, refused, create, window } = calendarCalls(gateway, () => ({ token, calendar }));
const share = (level: 'busy' | 'read' | 'write' | null) =>
  done('share', { calendar_id: calendar, user_id: colleague.id, level });

describe('who may', () => {
  test('levels: busy and read see, write changes, the owner shares', async () => {
    const id = await create();
    const change = () => refused('change', { id, title: 'x' }, theirs);
    const remove = () => refused('delete', { id }, theirs);
    const add = () => refused('create', { calendar_id: calendar, ...meeting }, theirs);
    const remind = () => refused('remind', { id, reminders: [] }, theirs);
    const pass = () =>
      refused('share', { calendar_id: calendar, user_id: colleague.id, level: 'write' }, theirs);
    for (const attempt of [change, remove, add, remind, pass])
      expect(await attempt()).toBe('resource_not_found');
    await share('busy');
    for (const attempt of [change, remove, add, remind, pass]) expect(await attempt()).toBe('forbidden');
    await share('read');
    for (const attempt of [change, remove, add, pass]) expect(await attempt()).toBe('forbidden');
    expect(await remind()).toBe(null);
    await share('write');
    expect(await pass()).toBe('forbidden');
    for (const attempt of [change, add, remove]) expect(await attempt()).toBe(null);
    await share(null);
    expect(await add()).toBe('resource_not_found');
  });

  test('a calendar is shared within its workspace, and not with its owner', async () => {
    const stranger = await createUser(gateway.services, { firm: await createWorkspace(gateway.services) });
    for (const user_id of [stranger.id, me.id, 'usr_00000000000000000000000000'])
      expect(await refused('share', { calendar_id: calendar, user_id, level: 'read' })).toBe(
        'validation_failed user_id',
      );
  });

  test('an event of another firm is as one that does not exist', async () => {
    const other = await createWorkspace(gateway.services);
    const far = await createCalendar(gateway.services, {
      firm: other,
      owner: me,
      shares: [{ user: colleague, level: 'write' }],
    });
    const [id] = await createEvents(gateway.services, [{ calendar_id: far }]);
    for (const bearer of [token, theirs]) {
      for (const [name, body] of [
        ['change', { id, title: 'x' }],
        ['delete', { id }],
        ['answer', { id, response: 'accepted' }],
        ['remind', { id, reminders: [] }],
        ['create', { calendar_id: far, ...meeting }],
        ['share', { calendar_id: far, user_id: colleague.id, level: 'read' }],
      ] as const) {
        const missing = await call(
          name,
          { ...body, ...('id' in body ? { id: 999_999 } : { calendar_id: 999_999 }) },
          bearer,
        );
        const foreign = await call(name, body, bearer);
        expect([foreign.status, foreign.code]).toEqual([missing.status, missing.code]);
        expect(foreign.code).toBe('resource_not_found');
      }
    }
  });

  test('the calendars that one may open, with their level', async () => {
    await share('read');
    const own = await createCalendar(gateway.services, { firm, owner: colleague });
    expect(await done('calendars', {}, theirs)).toMatchObject([
      { id: own, level: 'owner', owner: { id: colleague.id } },
      { id: calendar, level: 'read', owner: { id: me.id } },
    ]);
  });
});

describe('reminders', () => {
  const dueOf = async (id: number, user = me) =>
    (
      await gateway.services.pool.query(
        'select minutes_before, due_at from event_reminders where event_id = $1 and user_id = $2 order by 1',
        [id, user.id],
      )
    ).rows.map(({ minutes_before, due_at }) => [minutes_before, due_at]);
  const later = (minutes: number) => new Date(gateway.clock.now().getTime() + minutes * 60_000).toISOString();

  test('are one’s own, and due by the event’s time, wherever it is moved', async () => {
    const id = await create({ starts_at: later(120), ends_at: later(180) });
    await share('read');
    await done('remind', {
      id,
      reminders: [
        { minutes_before: 10, channel: 'push' },
        { minutes_before: 30, channel: 'push' },
      ],
    });
    await done('remind', { id, reminders: [{ minutes_before: 20, channel: 'email' }] }, theirs);
    expect(await dueOf(id)).toEqual([
      [10, later(110)],
      [30, later(90)],
    ]);
    expect(await dueOf(id, colleague)).toEqual([[20, later(100)]]);
    await done('change', { id, starts_at: later(240), ends_at: later(300) });
    expect(await dueOf(id)).toEqual([
      [10, later(230)],
      [30, later(210)],
    ]);
    expect(await dueOf(id, colleague)).toEqual([[20, later(220)]]);
    await done('remind', { id, reminders: [] });
    expect(await dueOf(id)).toEqual([]);
    await share('busy');
    expect(await dueOf(id, colleague)).toEqual([]);
  });

  test('of a series, by its next occurrence that is there', async () => {
    const id = await create({
      starts_at: later(60),
      ends_at: later(90),
      recurrence_rule: 'FREQ=DAILY;COUNT=3',
    });
    await done('remind', { id, reminders: [{ minutes_before: 10, channel: 'push' }] });
    expect(await dueOf(id)).toEqual([[10, later(50)]]);
    await done('delete', { id, occurrence_start: later(60) });
    expect(await dueOf(id)).toEqual([[10, later(50 + 1_440)]]);
    await done('delete', { id, occurrence_start: later(60 + 1_440), extent: 'this_and_following' });
    expect(await dueOf(id)).toEqual([[10, null]]);
  });
});

describe('answering an invitation', () => {
  const invited = async () => {
    const [id] = await createEvents(gateway.services, [
      {
        calendar_id: calendar,
        source: 'mail',
        status: 'pending',
        attendees: [{ email: me.email.toUpperCase() }],
      },
    ]);
    return id!;
  };

  test.each(['accepted', 'tentative'])('%s: it is confirmed, with the response', async (response) => {
    const id = await invited();
    await done('answer', { id, response });
    expect(await window()).toMatchObject([{ status: 'confirmed', attendees: [{ response }] }]);
  });

  test('declined: it leaves the calendar', async () => {
    const id = await invited();
    await done('answer', { id, response: 'declined' });
    expect(await window()).toEqual([]);
  });

  test('what is no invitation, and answers that are none', async () => {
    expect(await refused('answer', { id: await create(), response: 'accepted' })).toBe(
      'validation_failed id',
    );
    expect(await refused('answer', { id: await invited(), response: 'maybe' })).toBe(
      'validation_failed response',
    );
  });
});
