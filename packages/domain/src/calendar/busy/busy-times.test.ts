import { type BusyTimes, type ProposedTimes, weekdays } from '@firmdesk/contract';
import { createCalendar, createEvents, createUser, createWorkspace, type TestUser } from '@firmdesk/testing';
import { calendarCalls, createUserWithToken, type Firm, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeEach, expect, test } from 'vitest';

const gateway = await suiteGateway();
const { services, clock } = gateway;
// A Monday.
clock.advance(Date.parse('2026-11-23T08:00:00Z') - clock.now().getTime());
let firm: Firm;
let me: TestUser;
let token: string;
let calendar: number;
let ben: TestUser;
let hisToken: string;
let his: number;

beforeEach(async () => {
  ({ firm, user: me, token } = await createUserWithToken(gateway));
  ({ user: ben, token: hisToken } = await createUserWithToken(gateway, { firm }));
  calendar = await createCalendar(services, { firm, owner: me });
  his = await createCalendar(services, { firm, owner: ben });
});

const { done, refused, create } = calendarCalls(gateway, () => ({ token, calendar }));
const day = { from: '2026-11-24T00:00:00.000Z', until: '2026-11-25T00:00:00.000Z' };
const at = (from: string, until: string, more: object = {}) => ({
  calendar_id: his,
  starts_at: `2026-11-24T${from}:00Z`,
  ends_at: `2026-11-24T${until}:00Z`,
  ...more,
});
const busy = (emails: string[], more: object = {}, bearer = token): Promise<BusyTimes> =>
  done('busyTimes', { emails, ...day, ...more }, bearer);
const hisTimes = async (more: object = {}, bearer = token) =>
  (await busy([ben.email], more, bearer)).data[0]!.busy.map(
    ({ starts_at, ends_at, title }) => `${starts_at.slice(11, 16)}-${ends_at.slice(11, 16)} ${title}`,
  );
const share = (level: string | null) => done('share', { calendar_id: his, user_id: me.id, level }, hisToken);

test('colleagues see joined busy times, titles only where they can read, and nothing of a calendar that hides it', async () => {
  await createEvents(services, [
    at('09:00', '10:00', { title: 'One' }),
    at('09:30', '11:00', { title: 'Two' }),
    at('13:00', '14:00', { title: 'Daily', recurrence_rule: 'FREQ=DAILY' }),
  ]);
  const joined = ['09:00-11:00 null', '13:00-14:00 null'];
  expect(await hisTimes()).toEqual(joined);
  await share('busy');
  expect(await hisTimes()).toEqual(joined);
  await share('read');
  expect(await hisTimes()).toEqual(['09:00-10:00 One', '09:30-11:00 Two', '13:00-14:00 Daily']);
  await done('updateCalendar', { calendar_id: his, shows_busy: false }, hisToken);
  expect(await hisTimes()).toHaveLength(3);
  await share(null);
  expect(await hisTimes()).toEqual([]);
  expect(await hisTimes({}, hisToken), 'of oneself').toHaveLength(3);
});

test('of an outsider, a trader, and people of another firm nothing is known, alike', async () => {
  const trader = await createUserWithToken(gateway, { firm, role: 'trader' });
  const far = await createUser(services, { firm: await createWorkspace(services) });
  const emails = [
    'nobody@elsewhere.example',
    trader.user.email,
    far.email,
    ben.email.toUpperCase(),
    me.email,
  ];
  const { data } = await busy(emails);
  expect(data.map(({ email, is_known }) => [email, is_known])).toEqual([
    [emails[0], false],
    [emails[1], false],
    [emails[2], false],
    [emails[3], true],
    [emails[4], true],
  ]);
  // A trader sees nobody else.
  const seen = await busy([ben.email, trader.user.email], {}, trader.token);
  expect(seen.data.map(({ is_known }) => is_known)).toEqual([false, true]);
});

test('leaves out the event that is planned, with the copies of the guests, and needs access to it', async () => {
  const id = await create({
    starts_at: '2026-11-24T09:00:00Z',
    ends_at: '2026-11-24T10:00:00Z',
    attendees: [{ email: ben.email }],
  });
  const { rows } = await services.pool.query<{ uid: string }>('select uid from events where id = $1', [id]);
  await createEvents(services, [at('09:00', '10:00', { uid: rows[0]!.uid, source: 'mail' })]);
  expect(await hisTimes()).toHaveLength(1);
  expect(await hisTimes({ except_event: id })).toEqual([]);
  const [foreign] = await createEvents(services, [at('15:00', '16:00')]);
  for (const except_event of [foreign, 999_999_999])
    expect(await refused('busyTimes', { emails: [ben.email], ...day, except_event })).toBe(
      'resource_not_found',
    );
});

test('does not tell whether a colleague has an event with the identifier of an own copy', async () => {
  const uid = 'board-meeting@elsewhere.example';
  await createEvents(services, [at('09:00', '10:00', { uid, source: 'mail' })]);
  for (const source of ['import', 'mail'] as const) {
    const [own] = await createEvents(services, [
      { ...at('12:00', '13:00', { uid, source }), calendar_id: calendar },
    ]);
    expect(await hisTimes({ except_event: own })).toEqual(['09:00-10:00 null']);
    await services.pool.query('delete from events where workspace_id = $1 and id = $2', [firm.id, own]);
  }
});

test('proposes the next times in the business hours of the firm, or of the zone without any, when all are free', async () => {
  await createEvents(services, [
    at('08:00', '12:00', { title: 'Taken', recurrence_rule: 'FREQ=DAILY' }),
    { ...at('12:00', '13:30'), calendar_id: calendar },
  ]);
  const propose = async (more: object = {}): Promise<ProposedTimes> =>
    done('proposeTimes', {
      emails: [ben.email, me.email, 'guest@elsewhere.example'],
      from: '2026-11-24T00:00:00.000Z',
      minutes: 60,
      timezone: 'Europe/Berlin',
      ...more,
    });
  const { data, meta } = await propose();
  // 17:00 in Berlin is 16:00 UTC.
  expect(data.map(({ starts_at }) => starts_at.slice(0, 16))).toEqual([
    '2026-11-24T13:30',
    '2026-11-24T14:30',
    '2026-11-25T12:00',
    '2026-11-25T13:00',
    '2026-11-25T14:00',
  ]);
  expect(meta).toEqual({ unknown: ['guest@elsewhere.example'], truncated: false });
  expect((await propose({ minutes: 480 })).data).toEqual([]);
  // Not in the past.
  const today = await propose({ from: '2001-01-01T00:00:00.000Z', timezone: 'UTC', minutes: 30 });
  expect(today.data[0]!.starts_at).toMatch(/^2026-11-2[34]/);

  // 12:00 in Madrid is 11:00 UTC. Sunday is open, and Wednesday a holiday.
  const afternoon = [{ from: '12:00', to: '17:00' }];
  const week = Object.fromEntries(weekdays.map((each) => [each, afternoon]));
  const hours = { timezone: 'Europe/Madrid', week: { ...week, saturday: [] }, holidays: ['2026-11-25'] };
  await services.pool.query('update workspaces set sla_policy = $1 where id = $2', [
    JSON.stringify({ targets: {}, warn_minutes: null, hours }),
    firm.id,
  ]);
  const inHours = await propose({ minutes: 240, timezone: 'Asia/Dubai' });
  expect(inHours.data.map(({ starts_at }) => starts_at.slice(0, 16))).toEqual([
    '2026-11-26T12:00',
    '2026-11-27T12:00',
    '2026-11-29T12:00',
    '2026-11-30T12:00',
    '2026-12-01T12:00',
  ]);
});

test('is bounded in people, days and events, and takes any time', async () => {
  const refusedWith = (more: object) => refused('busyTimes', { emails: [ben.email], ...day, ...more });
  expect(await refusedWith({ emails: Array(21).fill(ben.email) })).toBe('validation_failed emails');
  expect(await refusedWith({ emails: [] })).toBe('validation_failed emails');
  expect(await refusedWith({ until: day.from })).toBe('invalid_window until');
  expect(await refusedWith({ until: '2027-01-24T00:00:00.000Z' })).toBe('window_too_wide until');
  expect(await refusedWith({ from: '9999-12-30T00:00:00.000Z', until: '9999-12-31T23:59:59.999Z' })).toBe(
    null,
  );
  expect(await refusedWith({ from: '0000-01-01T00:00:00.000Z', until: '0000-01-02T00:00:00.000Z' })).toBe(
    'invalid_window until',
  );
  const asked = { emails: [ben.email], minutes: 30 };
  expect(await refused('proposeTimes', { ...asked, from: '9999-12-31T23:59:59.999Z' })).toBe(null);
  expect(await refused('proposeTimes', { ...asked, from: day.from, timezone: 'Mars/Base' })).toBe(
    'validation_failed timezone',
  );
  await services.pool.query(
    `insert into events (workspace_id, calendar_id, title, local_start, local_end, timezone, recurrence_rule, span_start, created_at, updated_at)
     select $1, $2, 'x', '2020-01-01T09:00:00', '2020-01-01T10:00:00', 'UTC', 'FREQ=DAILY', '2020-01-01T09:00:00Z', now(), now()
     from generate_series(1, 5001)`,
    [firm.id, his],
  );
  const crowded = await busy([ben.email]);
  expect([crowded.data[0]!.busy.length, crowded.meta.truncated]).toEqual([1, true]);
});
