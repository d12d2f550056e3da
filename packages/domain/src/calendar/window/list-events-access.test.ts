import { createCalendar, createEvents, createUser, createWorkspace, type TestUser } from '@firmdesk/testing';
import {
  createUserWithToken,
  type Firm,
  suiteGateway,
  tokenOf,
  windowCalls,
} from '@firmdesk/testing/gateway';
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

const { create, ask, november } = windowCalls(gateway, () => ({ token, calendar }));

describe('a shared calendar', () => {
  let viewer: TestUser;
  let theirs: string;
  const share = (level: 'busy' | 'read' | 'write', user = viewer) =>
    gateway.services.pool.query(
      `insert into calendar_shares (workspace_id, calendar_id, user_id, level)
      select workspace_id, id, $2, $3 from calendars where id = $1`,
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

  test('at busy shows only times: two events with the same times have identical responses', async () => {
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
  ] as const)('at %s shows all fields, and can_write is %s', async (level, canWrite) => {
    await share(level);
    await create(secrets);
    expect((await november(theirs))[0]).toMatchObject({ title: 'Payroll of Ann', can_write: canWrite });
  });

  test('shows only the caller’s own reminders', async () => {
    await share('read');
    await create({ reminders: [{ user_id: me.id, minutes_before: 10, channel: 'push' }] });
    expect(await november(theirs)).toMatchObject([{ reminders: [] }]);
    expect(await november()).toMatchObject([{ reminders: [{ minutes_before: 10, channel: 'push' }] }]);
  });

  test('of another firm is not accessible, even if it is shared and named', async () => {
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

  test('permits queries: an account without any calendar gets 403 calendar_not_permitted', async () => {
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
  test('selects calendars, and ignores invalid and inaccessible ids', async () => {
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
    for (const invalid of ['', 'x', '0', '2147483647', `${calendar}x`, ` ${calendar}`])
      expect(await ids(invalid)).toEqual([]);
  });
});

test('calendars[] accepts the greatest possible id', async () => {
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

test('a token sees only the calendars of its workspace', async () => {
  await create({});
  const other = await createWorkspace(gateway.services);
  await createUser(gateway.services, { firm: other });
  const elsewhere = await tokenOf(gateway, me, other.slug);
  expect((await ask({}, elsewhere)).body.error.code).toBe('calendar_not_permitted');
});
