import {
  type CalendarStreamEvent,
  MAX_CANCELLED_MEETINGS,
  MAX_EVENTS_PER_CALENDAR,
} from '@firmdesk/contract';
import { createCalendar, createEvents, createWorkspace, type TestUser } from '@firmdesk/testing';
import {
  calendarCalls,
  createUserWithToken,
  type Firm,
  follow,
  meeting,
  suiteGateway,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const gateway = await suiteGateway();
const { services } = gateway;
let firm: Firm;
let me: TestUser;
let colleague: TestUser;
let token: string;
let theirs: string;
let calendar: number;

beforeEach(async () => {
  ({ firm, user: me, token } = await createUserWithToken(gateway));
  ({ user: colleague, token: theirs } = await createUserWithToken(gateway, { firm }));
  calendar = await createCalendar(services, { firm, owner: me });
});

const { done, refused, create, call, window } = calendarCalls(gateway, () => ({ token, calendar }));
const share = (level: 'busy' | 'read' | 'write' | null, id = calendar) =>
  done('share', { calendar_id: id, user_id: colleague.id, level });
const trail = async () => {
  const { rows } = await services.pool.query(
    `select action, actor, before, after from audit_events where workspace_id = $1 and target_type = 'calendar' order by id`,
    [firm.id],
  );
  return rows;
};
const mails = async () => {
  const { rows } = await services.pool.query<{ payload: { method: string; to: { email: string }[] } }>(
    `select payload from job_requests where payload->>'workspace' = $1 and payload->>'method' is not null`,
    [String(firm.id)],
  );
  return rows.map(({ payload }) => payload);
};

describe('the settings of a calendar', () => {
  test('are changed by its owner only, and recorded without the name', async () => {
    const changes = { calendar_id: calendar, name: ' Trips ', color: 'sky', shows_busy: false };
    for (const [level, code] of [
      [null, 'resource_not_found'],
      ['busy', 'forbidden'],
      ['write', 'forbidden'],
    ] as const) {
      await share(level);
      for (const [name, body] of [
        ['updateCalendar', changes],
        ['calendarDetails', { calendar_id: calendar }],
        ['deleteCalendar', { calendar_id: calendar }],
      ] as const)
        expect([level, name, await refused(name, body, theirs)]).toEqual([level, name, code]);
    }
    expect(await done('updateCalendar', changes)).toEqual({
      object: 'calendar',
      id: calendar,
      name: 'Trips',
      color: 'sky',
      level: 'owner',
      owner: { id: me.id, name: 'Robin Example' },
    });
    expect((await done('calendars', {}, theirs))[0]).toMatchObject({ name: 'Trips', color: 'sky' });
    // A change of nothing is none.
    await done('updateCalendar', changes);
    await done('updateCalendar', { calendar_id: calendar, color: null });
    const recorded = await trail();
    expect(recorded.map(({ action }) => action)).toEqual([
      ...['calendar.shared', 'calendar.shared', 'calendar.changed', 'calendar.changed'],
    ]);
    expect(recorded.at(-2)).toEqual({
      action: 'calendar.changed',
      actor: me.id,
      before: { color: null, shows_busy: true },
      after: { color: 'sky', shows_busy: false, renamed: true },
    });
    expect(JSON.stringify(recorded)).not.toContain('Trips');
    expect(await refused('updateCalendar', { calendar_id: calendar, name: ' ' })).toBe(
      'validation_failed name',
    );
    expect(await refused('updateCalendar', { calendar_id: calendar, color: 'red;x' })).toBe(
      'validation_failed color',
    );
  });

  test('tell its owner with whom it is shared, and whoever has a share can end it', async () => {
    await create();
    await create({
      attendees: [{ email: 'guest@elsewhere.example' }],
      starts_at: '2999-01-01T09:00:00Z',
      ends_at: '2999-01-01T10:00:00Z',
    });
    await share('read');
    expect(await done('calendarDetails', { calendar_id: calendar })).toEqual({
      object: 'calendar_details',
      id: calendar,
      shows_busy: true,
      events: 2,
      meetings: 1,
      shares: [{ user: { id: colleague.id, name: 'Robin Example', email: colleague.email }, level: 'read' }],
    });
    const leave = { calendar_id: calendar, user_id: colleague.id, level: null };
    await done('share', leave, theirs);
    expect(await done('calendars', {}, theirs)).toEqual([]);
    expect(await refused('share', leave, theirs)).toBe('resource_not_found');
    expect((await trail()).at(-1)).toMatchObject({
      action: 'calendar.unshared',
      actor: colleague.id,
      before: { user: colleague.id, level: 'read' },
    });
  });

  test('of another firm look like those of a calendar that does not exist', async () => {
    const other = await createWorkspace(services);
    const far = await createCalendar(services, { firm: other, owner: me });
    for (const [name, more] of [
      ['updateCalendar', { name: 'x' }],
      ['calendarDetails', {}],
      ['deleteCalendar', {}],
    ] as const) {
      const [foreign, missing] = [
        await call(name, { calendar_id: far, ...more }),
        await call(name, { calendar_id: 999_999, ...more }),
      ];
      expect([foreign.status, foreign.code]).toEqual([missing.status, missing.code]);
      expect(foreign.code).toBe('resource_not_found');
    }
    const unshared = await createCalendar(services, { firm, owner: colleague });
    for (const id of [far, unshared, 999_999, calendar])
      expect(await refused('deleteCalendar', { calendar_id: calendar, move_events_to: id })).toBe(
        'validation_failed move_events_to',
      );
  });

  test('are live for everybody who has the calendar, and for nobody else', async () => {
    const stranger = await createUserWithToken(gateway, { firm });
    const open = (bearer: string) =>
      follow<CalendarStreamEvent>(gateway.url, { token: bearer }, (trpc, handlers) =>
        trpc.calendar.live.subscribe({}, handlers),
      );
    using mine = await open(token);
    using ofColleague = await open(theirs);
    using ofStranger = await open(stranger.token);
    const typesOf = (stream: typeof mine) => stream.events.map(({ data }) => data);
    await share('busy');
    await done('updateCalendar', { calendar_id: calendar, color: 'red' });
    await create();
    const changed = [
      { type: 'calendars.changed' },
      { type: 'calendars.changed' },
      { type: 'events.changed' },
    ];
    for (const stream of [mine, ofColleague]) await expect.poll(() => typesOf(stream)).toEqual(changed);
    await done('createCalendar', { name: 'Own' }, stranger.token);
    await expect.poll(() => typesOf(ofStranger)).toEqual([{ type: 'calendars.changed' }]);
  });
});

describe('the deletion of a calendar', () => {
  test('deletes its events, cancels meetings to come, and keeps deleted invitations away', async () => {
    const guest = { email: 'guest@elsewhere.example' };
    const future = { starts_at: '2999-01-01T09:00:00Z', ends_at: '2999-01-01T10:00:00Z' };
    await create({ ...future, attendees: [guest] });
    await create({ attendees: [guest], starts_at: '2001-01-01T09:00:00Z', ends_at: '2001-01-01T10:00:00Z' });
    await createEvents(services, [
      {
        calendar_id: calendar,
        source: 'mail',
        uid: 'invited@elsewhere.example',
        sender: 'Boss@Elsewhere.example',
        sequence: 3,
      },
    ]);
    const before = (await mails()).length;
    await share('read');
    expect(await done('deleteCalendar', { calendar_id: calendar })).toEqual({
      object: 'calendar_deleted',
      id: calendar,
      events: 3,
    });
    expect(await done('calendars', {})).toEqual([]);
    const sent = (await mails()).slice(before);
    expect(sent.map(({ method, to }) => [method, to.map(({ email }) => email)])).toEqual([
      ['CANCEL', [guest.email]],
    ]);
    const { rows } = await services.pool.query(
      'select user_id, uid, sender_email, sequence from ended_invitations where workspace_id = $1',
      [firm.id],
    );
    expect(rows).toEqual([
      {
        user_id: me.id,
        uid: 'invited@elsewhere.example',
        sender_email: 'boss@elsewhere.example',
        sequence: 3,
      },
    ]);
    expect(await refused('deleteCalendar', { calendar_id: calendar })).toBe('resource_not_found');
    expect((await trail()).at(-1)).toMatchObject({
      action: 'calendar.deleted',
      before: { events: 3 },
      after: { events_moved_to: null },
    });
  });

  test('moves its events with their changes and reminders, and has one of each meeting', async () => {
    const target = await createCalendar(services, { firm, owner: me });
    await createEvents(services, [
      { calendar_id: calendar, title: 'Both', uid: 'same@elsewhere.example', source: 'import' },
      { calendar_id: target, title: 'Both', uid: 'same@elsewhere.example', source: 'import' },
    ]);
    const series = await create({ title: 'Daily', recurrence_rule: 'FREQ=DAILY;COUNT=3' });
    await done('change', {
      id: series,
      occurrence_start: '2026-11-24T09:00:00.000Z',
      extent: 'this',
      title: 'Once',
    });
    await share('read');
    await done('remind', { id: series, reminders: [{ minutes_before: 5, channel: 'push' }] });
    await done('remind', { id: series, reminders: [{ minutes_before: 5, channel: 'push' }] }, theirs);
    expect(await done('deleteCalendar', { calendar_id: calendar, move_events_to: target })).toMatchObject({
      events: 2,
    });
    const shown = (await window()) as { title: string; calendar_id: number; reminders: unknown[] }[];
    expect(shown.map(({ title }) => title)).toEqual(['Both', 'Daily', 'Once', 'Daily']);
    expect(new Set(shown.map(({ calendar_id }) => calendar_id))).toEqual(new Set([target]));
    const { rows } = await services.pool.query('select user_id from event_reminders where event_id = $1', [
      series,
    ]);
    expect(rows, 'a reader of the deleted calendar cannot read the other one').toEqual([{ user_id: me.id }]);
    expect(await mails()).toEqual([]);
  });

  test('is refused where the other calendar is full, or too many guests would be told', async () => {
    const target = await createCalendar(services, { firm, owner: me });
    await create();
    const fill = (id: number, events: number, columns = '', values = '') =>
      services.pool.query(
        `insert into events (workspace_id, calendar_id, title, local_start, local_end, timezone, span_start, span_end, created_at, updated_at${columns})
         select $1, $2, 'x', '2999-01-01T09:00:00', '2999-01-01T10:00:00', 'UTC', '2999-01-01', '2999-01-01', now(), now()${values}
         from generate_series(1, $3) n`,
        [firm.id, id, events],
      );
    await fill(target, MAX_EVENTS_PER_CALENDAR);
    expect(await refused('deleteCalendar', { calendar_id: calendar, move_events_to: target })).toBe(
      'event_limit_reached',
    );
    await fill(
      calendar,
      MAX_CANCELLED_MEETINGS + 1,
      ', uid, organizer_email, attendees',
      `, 'u' || n, '${me.email}', '[{"email": "a@elsewhere.example"}]'`,
    );
    expect(await refused('deleteCalendar', { calendar_id: calendar })).toBe(
      'validation_failed move_events_to',
    );
    expect((await window()).map(({ title }: { title: string }) => title)).toEqual([meeting.title]);
  });
});
