import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createCalendar,
  createEvents,
  createMailbox,
  createMailMessage,
  createUser,
  createWorkspace,
  runPushJobs,
  type TestUser,
} from '@firmdesk/testing';
import { type Firm, type Phone, registerPhone, suitePushGateway, TOPICS } from '@firmdesk/testing/gateway';
import { beforeEach, expect, test } from 'vitest';
import { queueDueReminders, sendPushes } from '../../index.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const gateway = await suitePushGateway();
let firm: Firm;
let owner: TestUser;
let calendar: number;
/** A full hour, one to two hours ahead of the gateway's clock. */
let start: number;

beforeEach(async () => {
  firm = await createWorkspace(gateway.services);
  owner = await createUser(gateway.services, { firm });
  calendar = await createCalendar(gateway.services, { firm, owner });
  start = Math.ceil(gateway.clock.now().getTime() / HOUR + 1) * HOUR;
});

const phone = (options?: Parameters<typeof registerPhone>[4], user = owner) =>
  registerPhone(gateway, user, firm.slug, 'calendar', options);
const receivedBy = ({ deviceToken }: Phone) =>
  gateway.apns.received.filter((received) => received.deviceToken === deviceToken);
const iso = (moment: number) => new Date(moment).toISOString();
const moveTo = (moment: number) => gateway.clock.advance(moment - gateway.clock.now().getTime());
const sql = (text: string, values: unknown[] = []) => gateway.services.pool.query(text, values);

async function create(over: Record<string, unknown> = {}, minutes_before = 10): Promise<number> {
  const [id] = await createEvents(gateway.services, [
    {
      calendar_id: calendar,
      title: 'Stand-up',
      starts_at: iso(start),
      ends_at: iso(start + HOUR),
      reminders: [{ user_id: owner.id, minutes_before, channel: 'push' }],
      ...over,
    },
  ]);
  return id!;
}
/** Queues due reminders and sends their pushes. */
async function remind(): Promise<void> {
  await queueDueReminders(gateway.services);
  await runPushJobs(gateway.services);
}

test('a reminder is pushed when it is due and not before, in the device’s time zone, with the fields of the contract', async () => {
  const mine = await phone({ timezone: 'Asia/Kolkata' });
  const id = await create({
    conference: { provider: 'zoom', url: 'https://zoom.example/1', meeting_id: null, passcode: null },
  });
  moveTo(start - 10 * MINUTE - 1);
  await remind();
  expect(receivedBy(mine)).toEqual([]);
  moveTo(start - 10 * MINUTE);
  await remind();
  const [received] = receivedBy(mine);
  const time = new Intl.DateTimeFormat('en', {
    timeZone: 'Asia/Kolkata',
    hour: 'numeric',
    minute: '2-digit',
  }).format(start);
  expect(received!.payload).toEqual({
    aps: { alert: { title: 'Stand-up', body: expect.stringContaining(time) }, badge: 0, sound: 'default' },
    type: 'calendar.reminder',
    session: mine.session,
    user_id: owner.id,
    workspace: firm.slug,
    event_id: String(id),
    occurrence_start: null,
    conference_url: 'https://zoom.example/1',
  });
  expect(received!.headers).toMatchObject({
    'apns-topic': TOPICS.calendar,
    'apns-expiration': String(start / 1000),
    'apns-collapse-id': expect.stringMatching(/^[\w-]{43}$/),
  });
});

test('the badge counts mail, and is omitted for a token without mail:read', async () => {
  const mailbox = await createMailbox(gateway.services, { firm, writes: [owner] });
  await createMailMessage(gateway.services, { mailbox });
  const [reads, readsNoMail] = [await phone(), await phone({ scopes: ['calendar:read'] })];
  await create();
  moveTo(start - 10 * MINUTE);
  await remind();
  expect(receivedBy(reads).map(({ payload }) => payload.aps.badge)).toEqual([1]);
  expect(receivedBy(readsNoMail).map(({ payload }) => payload.aps)).toEqual([
    { alert: expect.objectContaining({ title: 'Stand-up' }), sound: 'default' },
  ]);
});

test('each occurrence of a series is reminded of once, with several workers', async () => {
  const mine = await phone();
  await create({ recurrence_rule: 'FREQ=DAILY;COUNT=3' });
  for (let day = 0; day < 4; day++) {
    moveTo(start + day * 24 * HOUR - 10 * MINUTE);
    await Promise.all([
      queueDueReminders(gateway.services),
      queueDueReminders(gateway.services),
      queueDueReminders(gateway.services),
    ]);
    await remind();
  }
  expect(receivedBy(mine).map(({ payload }) => payload.occurrence_start)).toEqual(
    [0, 1, 2].map((day) => iso(start + day * 24 * HOUR)),
  );
});

test('a late reminder is pushed before the event starts, and not after', async () => {
  const mine = await phone();
  await create({ recurrence_rule: 'FREQ=DAILY;COUNT=2' }, 30);
  moveTo(start + 1);
  await remind();
  expect(receivedBy(mine)).toEqual([]);
  moveTo(start + 24 * HOUR - MINUTE);
  await remind();
  expect(receivedBy(mine)).toHaveLength(1);
});

test('a reminder of 0 minutes before is pushed when the event starts', async () => {
  const mine = await phone();
  await create({}, 0);
  moveTo(start + 800);
  await remind();
  expect(receivedBy(mine)).toHaveLength(1);
});

test('drops the push of an event that is moved or deleted between queueing and sending', async () => {
  const mine = await phone();
  const moved = await create();
  const deleted = await create();
  moveTo(start - 10 * MINUTE);
  await queueDueReminders(gateway.services);
  await sql('update events set local_start = $2, local_end = $3 where id = $1', [
    moved,
    iso(start + HOUR).slice(0, 19),
    iso(start + 2 * HOUR).slice(0, 19),
  ]);
  await sql('delete from events where id = $1', [deleted]);
  await runPushJobs(gateway.services);
  expect(receivedBy(mine)).toEqual([]);
  const rows = await gateway.outbox(mine.session);
  expect(rows.map(({ reason }) => reason).sort()).toEqual(['moved', 'not_in_reach']);
});

test('sends the reminder of an event that takes much work to expand', async () => {
  const mine = await phone();
  const id = await create({ recurrence_rule: 'FREQ=DAILY' });
  // Dates in 140 different years, each of which needs its time zone transitions: about 300,000 steps.
  const removed = Array.from({ length: 140 }, (_, i) => `${String(3_000 + 5 * i)}-07-01T09:00:00`);
  await sql(
    `update events set timezone = 'Europe/Berlin', removed_dates = $2, local_start = $3, local_end = $3 where id = $1`,
    [
      id,
      JSON.stringify(removed),
      new Date(start).toLocaleString('sv', { timeZone: 'Europe/Berlin' }).replace(' ', 'T'),
    ],
  );
  moveTo(start - 10 * MINUTE);
  await remind();
  expect((await gateway.outbox(mine.session)).map(({ state, reason }) => [state, reason])).toEqual([
    ['sent', null],
  ]);
});

test('reminders of several users show the title of an overridden occurrence', async () => {
  const phones: Phone[] = [];
  const reminders: object[] = [];
  for (let n = 0; n < 5; n++) {
    const user = await createUser(gateway.services, { firm });
    await sql(
      `insert into calendar_shares (workspace_id, calendar_id, user_id, level)
      select workspace_id, id, $2, 'read' from calendars where id = $1`,
      [calendar, user.id],
    );
    phones.push(await phone({}, user));
    reminders.push({ user_id: user.id, minutes_before: 10, channel: 'push' });
  }
  await create({
    recurrence_rule: 'FREQ=DAILY',
    reminders,
    overrides: [{ occurrence_start: iso(start), title: 'Goodbye party' }],
  });
  moveTo(start - 10 * MINUTE);
  await remind();
  expect(
    phones.flatMap(receivedBy).map(({ payload }) => (payload.aps.alert as { title: string }).title),
  ).toEqual(Array.from({ length: 5 }, () => 'Goodbye party'));
});

test('shows only “Busy” to a user with the access level busy', async () => {
  const friend = await createUser(gateway.services, { firm });
  const theirs = await phone({}, friend);
  await sql(
    `insert into calendar_shares (workspace_id, calendar_id, user_id, level)
      select workspace_id, id, $2, 'busy' from calendars where id = $1`,
    [calendar, friend.id],
  );
  await create({
    title: 'Layoffs',
    conference: { provider: null, url: 'https://secret.example', meeting_id: null, passcode: null },
    reminders: [{ user_id: friend.id, minutes_before: 10, channel: 'push' }],
  });
  moveTo(start - 10 * MINUTE);
  await remind();
  const [received] = receivedBy(theirs);
  expect(received!.payload).toMatchObject({ aps: { alert: { title: 'Busy' } }, conference_url: null });
  expect(JSON.stringify(received!.payload)).not.toMatch(/Layoffs|secret/);
});

test('a token without calendar:read gets no reminders', async () => {
  const mine = await phone({ scopes: ['mail:read'] });
  await create();
  moveTo(start - 10 * MINUTE);
  await remind();
  expect(receivedBy(mine)).toEqual([]);
});

test('a sender that is killed before it stores the result sends again once, with the same apns-id and apns-collapse-id', async () => {
  const mine = await phone();
  const answer = await gateway.rpc('devices.pushTest', { token: mine.text, body: {} });
  expect(answer.code).toBeNull();
  // The child process uses the real clock.
  await sql(
    `update push_outbox set due_at = now() - interval '1 minute', expires_at = now() + interval '60 days'
    where token_id = $1`,
    [mine.session],
  );
  await sql(`update tokens set created_at = now(), last_used_at = now() where id = $1`, [mine.session]);
  const child = spawn(
    process.execPath,
    [
      new URL('../../../../testing/src/gateway/hanging-push-sender.ts', import.meta.url).pathname,
      gateway.databaseUrl,
      gateway.apns.url,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  try {
    const [output] = await once(child.stdout, 'data');
    expect(String(output)).toBe('sent\n');
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
  expect(await gateway.outbox(mine.session)).toMatchObject([{ state: 'waiting', attempts: 1 }]);

  // Not before the lease has ended, by the database's clock.
  moveTo(Math.max(gateway.clock.now().getTime(), Date.now()) + 2 * MINUTE);
  await sendPushes(gateway.services);
  expect(receivedBy(mine)).toHaveLength(1);
  await sql('update push_outbox set leased_until = now() where token_id = $1', [mine.session]);
  await sendPushes(gateway.services);
  await sendPushes(gateway.services);
  const [row] = await gateway.outbox(mine.session);
  for (const header of ['apns-id', 'apns-collapse-id'])
    expect(receivedBy(mine).map(({ headers }) => headers[header])).toEqual([row!.id, row!.id]);
  expect(await gateway.outbox(mine.session)).toMatchObject([{ state: 'sent', attempts: 2 }]);
}, 180_000);
