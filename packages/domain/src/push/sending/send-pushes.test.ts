import {
  createCalendar,
  createEvents,
  createMailbox,
  createMailMessage,
  createToken,
  createUser,
  createWorkspace,
  openTestServices,
  runPushJobs,
  TestClock,
  type TestServices,
} from '@firmdesk/testing';
import { expect, inject, test, vi } from 'vitest';
import { withTransaction } from '../../platform/database/transaction.ts';
import type { Services } from '../../platform/services.ts';
import { leaseDue, outboxLagSeconds, saveResults } from '../outbox.ts';
import { queueMailPushes, queueTestPushes } from '../queue-pushes.ts';
import { queueDueReminders } from '../reminders/queue-due-reminders.ts';
import { sendPushes } from './send-pushes.ts';

test('without a provider a push is recorded and not sent; the log does not contain the device token', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const { services, log, clock } = base;
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm });
  const { id } = await createToken(services, { user, workspace: firm.slug, kind: 'device' });
  const deviceToken = 'ab'.repeat(32);
  await withTransaction(services, async (ctx) => {
    const moment = clock.now().toISOString();
    await ctx.db
      .insertInto('devices')
      .values({
        token_id: id,
        user_id: user.id,
        workspace_id: firm.id,
        app: 'mail',
        environment: 'production',
        device_token: deviceToken,
        created_at: moment,
        last_seen_at: moment,
      })
      .execute();
    await queueTestPushes(ctx, { userId: user.id });
  });
  await runPushJobs(services);
  const { rows } = await services.pool.query('select id, state, reason from push_outbox');
  expect(rows).toEqual([{ id: expect.any(String), state: 'unsent', reason: 'not_set_up' }]);
  expect(log.lines).toContainEqual({
    level: 'info',
    message: 'push is not configured: recorded, not sent',
    fields: { push: rows[0]!.id, app: 'mail' },
  });
  expect(JSON.stringify(log.lines)).not.toContain(deviceToken);
});

test('drops a push that cannot be composed, and sends the others', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const { services, log } = base;
  const firm = await createWorkspace(services);
  const states: unknown[] = [];
  for (const timezone of ['Nowhere/At all', 'Europe/Berlin']) {
    const owner = await createUser(services, { firm });
    const { id } = await createToken(services, { user: owner, workspace: firm.slug, kind: 'device' });
    await services.pool.query('update users set timezone = $2 where id = $1', [owner.id, timezone]);
    await services.pool.query(
      `insert into devices (token_id, user_id, workspace_id, app, environment, device_token, created_at, last_seen_at)
      select id, user_id, workspace_id, 'calendar', 'production', $2, now(), now() from tokens where id = $1`,
      [id, Buffer.from(id).toString('hex').padEnd(64, '0')],
    );
    const start = new Date(base.clock.now().getTime() + 3_600_000);
    const calendar = await createCalendar(services, { firm, owner });
    await createEvents(services, [
      {
        calendar_id: calendar,
        starts_at: start.toISOString(),
        ends_at: start.toISOString(),
        reminders: [{ user_id: owner.id, minutes_before: 30, channel: 'push' }],
      },
    ]);
    states.push({ token_id: id, reason: timezone.startsWith('Nowhere') ? 'unwritable' : 'not_set_up' });
  }
  base.clock.advance(31 * 60_000);
  await queueDueReminders(services);
  await runPushJobs(services);
  const { rows } = await services.pool.query('select token_id, reason from push_outbox');
  expect(rows).toHaveLength(2);
  expect(rows).toEqual(expect.arrayContaining(states));
  expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
});

test('retries the pushes of a firm whose rows cannot be read, and sends those of other firms', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const { services } = base;
  const firms: number[] = [];
  for (const name of ['unreadable', 'readable']) {
    const firm = await createWorkspace(services);
    firms.push(firm.id);
    const user = await createUser(services, { firm });
    const scopes = ['mail:read' as const];
    const { id } = await createToken(services, { user, workspace: firm.slug, kind: 'device', scopes });
    await services.pool.query(
      `insert into devices (token_id, user_id, workspace_id, app, environment, device_token, created_at, last_seen_at)
      select id, user_id, workspace_id, 'mail', 'production', $2, now(), now() from tokens where id = $1`,
      [id, Buffer.from(name).toString('hex').padEnd(64, '0')],
    );
    const mailbox = await createMailbox(services, { firm, writes: [user] });
    const message = await createMailMessage(services, { mailbox });
    await withTransaction(services, (ctx) =>
      queueMailPushes(ctx, { workspace: firm.id, message: message.id }),
    );
  }
  const pool: typeof services.pool = Object.assign(Object.create(services.pool), {
    query: (statement: string, values?: unknown[]) =>
      Array.isArray(values?.[1]) && values[1].includes(firms[0])
        ? Promise.reject(new Error('the server of this firm is down'))
        : services.pool.query(statement, values),
  });
  await sendPushes({ ...services, pool });
  const { rows } = await services.pool.query(
    `select t.workspace_id, state, reason from push_outbox o join tokens t on t.id = o.token_id order by 1`,
  );
  expect(rows).toEqual([
    { workspace_id: firms[0], state: 'waiting', reason: 'unreadable' },
    { workspace_id: firms[1], state: 'unsent', reason: 'not_set_up' },
  ]);
});

test('stores the results of 1,200 pushes, each sent once, while one waits for its response', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const { services, clock } = base;
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm });
  const { id } = await createToken(services, { user, workspace: firm.slug, kind: 'device' });
  await services.pool.query(
    `insert into devices (token_id, user_id, workspace_id, app, environment, device_token, created_at, last_seen_at)
    select id, user_id, workspace_id, 'mail', 'production', 'ab', now(), now() from tokens where id = $1`,
    [id],
  );
  await services.pool.query(
    `insert into push_outbox (token_id, app, type, subject, due_at, expires_at, created_at)
    select $1, 'mail', 'test', n::text, $2, $2::timestamptz + interval '1 day', $2 from generate_series(1, 1200) n`,
    [id, clock.now().toISOString()],
  );
  const sent: string[] = [];
  const slow = Promise.withResolvers<void>();
  const push: Services['push'] = {
    ...services.push,
    async send(push) {
      sent.push(push.id);
      if (sent[0] === push.id) await slow.promise;
      return { status: 'sent' };
    },
  };
  const sending = sendPushes({ ...services, push });
  const waiting = async () =>
    (await services.pool.query<{ id: string }>(`select id from push_outbox where state = 'waiting'`)).rows;
  await expect.poll(async () => (await waiting()).length, { timeout: 60_000 }).toBe(1);
  expect(await waiting()).toEqual([{ id: sent[0] }]);
  slow.resolve();
  await sending;
  expect(await waiting()).toEqual([]);
  expect(new Set(sent).size).toBe(1_200);
  expect(sent).toHaveLength(1_200);
});

test('outboxLagSeconds returns the age of the oldest due push', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const { services, clock } = base;
  expect(await outboxLagSeconds(services)).toBe(0);
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm });
  const { id } = await createToken(services, { user, workspace: firm.slug, kind: 'device' });
  const moment = clock.now().toISOString();
  await services.pool.query(
    `insert into push_outbox (token_id, app, type, subject, due_at, expires_at, created_at)
    values ($1, 'mail', 'test', 'one', $2, $2, $2)`,
    [id, moment],
  );
  clock.advance(90_000);
  expect(await outboxLagSeconds(services)).toBe(90);
});

test('a push queued by a process whose clock is ahead is sent immediately', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const { services, clock } = base;
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm });
  const { id } = await createToken(services, { user, workspace: firm.slug, kind: 'device' });
  await services.pool.query(
    `insert into devices (token_id, user_id, workspace_id, app, environment, device_token, created_at, last_seen_at)
    select id, user_id, workspace_id, 'mail', 'production', 'ab', now(), now() from tokens where id = $1`,
    [id],
  );
  clock.advance(10 * 60_000);
  await withTransaction(services, (ctx) => queueTestPushes(ctx, { userId: user.id }));
  clock.advance(-5 * 60_000);
  await runPushJobs(services);
  const { rows } = await services.pool.query('select state from push_outbox');
  expect(rows).toEqual([{ state: 'unsent' }]);
});

/** Queues one due push. */
async function queueOne({ services, clock }: TestServices): Promise<void> {
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm });
  const { id } = await createToken(services, { user, workspace: firm.slug, kind: 'device' });
  await services.pool.query(
    `insert into push_outbox (token_id, app, type, subject, due_at, expires_at, created_at)
    values ($1, 'mail', 'test', 'one', $2, $2::timestamptz + interval '1 day', $2)`,
    [id, clock.now().toISOString()],
  );
}

test('a sender whose clock is two minutes ahead does not lease a leased push', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const { services } = base;
  await queueOne(base);
  const ahead = { ...services, clock: new TestClock(new Date(Date.now() + 120_000)) };
  const [taken] = await leaseDue(services, 10);
  expect(taken).toMatchObject({ attempts: 1 });
  expect(await leaseDue(ahead, 10)).toEqual([]);
});

test('another sender leases a push after the lease ends; the late result of the first is ignored', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const { services } = base;
  await queueOne(base);
  const [frozen] = await leaseDue(services, 10);
  await services.pool.query(`update push_outbox set leased_until = now() - interval '1 second'`);
  const [second] = await leaseDue(services, 10);
  expect(second).toMatchObject({ id: frozen!.id, attempts: 2 });
  const { id } = frozen!;
  await saveResults(services, [{ id, attempts: 1, state: 'refused', reason: 'late', due_at: null }]);
  await saveResults(services, [{ id, attempts: 2, state: 'sent', reason: null, due_at: null }]);
  const { rows } = await services.pool.query('select state, reason, leased_until from push_outbox');
  expect(rows).toEqual([{ state: 'sent', reason: null, leased_until: null }]);
});

test('a process whose clock is behind schedules its next run by the database’s clock', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const { services, clock } = base;
  await queueOne(base);
  await services.pool.query(`update push_outbox set due_at = $1`, [
    new Date(clock.now().getTime() + 30_000).toISOString(),
  ]);
  const now = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => now() - 10 * 60_000);
  await sendPushes(services);
  vi.restoreAllMocks();
  const { rows } = await services.pool.query(
    `select run_at > now() + interval '20 seconds' as is_later from job_requests where key = 'push.wake'`,
  );
  expect(rows).toEqual([{ is_later: true }]);
});
