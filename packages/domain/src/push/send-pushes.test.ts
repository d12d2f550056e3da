import { expect, inject, test } from 'vitest';
import { mintCalendar, mintEvents } from '../calendar/testing.ts';
import { sqlOf } from '../kernel/database.ts';
import { withTransaction } from '../kernel/transaction.ts';
import { mintFirm, mintToken, mintUser } from '../testing/mint.ts';
import { openTestServices } from '../testing/services.ts';
import { pushTest } from './enqueue.ts';
import { pushOverdueSeconds } from './outbox.ts';
import { remindDue } from './remind-due.ts';
import { runPushJobs } from './testing.ts';

test('without a provider a notification is recorded, not sent, and the log says so without the device’s token', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const { services, log, clock } = base;
  const firm = await mintFirm(services);
  const user = await mintUser(services, { firm });
  const { id } = await mintToken(services, { user, workspace: firm.slug, kind: 'device' });
  const deviceToken = 'ab'.repeat(32);
  await withTransaction(services, async (ctx) => {
    const moment = clock.now().toISOString();
    await sqlOf(ctx.em)
      .insertInto('devices')
      .values({
        token_id: id,
        app: 'mail',
        environment: 'production',
        device_token: deviceToken,
        created_at: moment,
        last_seen_at: moment,
      })
      .execute();
    await pushTest(ctx, { userId: user.id });
  });
  await runPushJobs(services);
  const { rows } = await services.pool.query('select id, state, reason from push_outbox');
  expect(rows).toEqual([{ id: expect.any(String), state: 'unsent', reason: 'not_set_up' }]);
  expect(log.lines).toContainEqual({
    level: 'info',
    message: 'push is not set up: recorded, not sent',
    fields: { push: rows[0]!.id, app: 'mail' },
  });
  expect(JSON.stringify(log.lines)).not.toContain(deviceToken);
});

test('a row that cannot be written is dropped, and those beside it are sent', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const { services, log } = base;
  const firm = await mintFirm(services);
  const states: unknown[] = [];
  for (const timezone of ['Nowhere/At all', 'Europe/Berlin']) {
    const owner = await mintUser(services, { firm });
    const { id } = await mintToken(services, { user: owner, workspace: firm.slug, kind: 'device' });
    await services.pool.query('update users set timezone = $2 where id = $1', [owner.id, timezone]);
    await services.pool.query(
      `insert into devices (token_id, app, environment, device_token, created_at, last_seen_at)
      values ($1, 'calendar', 'production', $2, now(), now())`,
      [id, Buffer.from(id).toString('hex').padEnd(64, '0')],
    );
    const start = new Date(base.clock.now().getTime() + 3_600_000);
    const calendar = await mintCalendar(services, { firm, owner });
    await mintEvents(services, [
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
  await remindDue(services);
  await runPushJobs(services);
  const { rows } = await services.pool.query('select token_id, reason from push_outbox');
  expect(rows).toHaveLength(2);
  expect(rows).toEqual(expect.arrayContaining(states));
  expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
});

test('how long the outbox has been waiting is known', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const { services, clock } = base;
  expect(await pushOverdueSeconds(services)).toBe(0);
  const firm = await mintFirm(services);
  const user = await mintUser(services, { firm });
  const { id } = await mintToken(services, { user, workspace: firm.slug, kind: 'device' });
  const moment = clock.now().toISOString();
  await services.pool.query(
    `insert into push_outbox (token_id, app, type, subject, due_at, expires_at, created_at)
    values ($1, 'mail', 'test', 'one', $2, $2, $2)`,
    [id, moment],
  );
  clock.advance(90_000);
  expect(await pushOverdueSeconds(services)).toBe(90);
});

test('what a clock that was ahead has queued does not wait until that clock is right', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const { services, clock } = base;
  const firm = await mintFirm(services);
  const user = await mintUser(services, { firm });
  const { id } = await mintToken(services, { user, workspace: firm.slug, kind: 'device' });
  await services.pool.query(
    `insert into devices (token_id, app, environment, device_token, created_at, last_seen_at)
    values ($1, 'mail', 'production', 'ab', now(), now())`,
    [id],
  );
  clock.advance(10 * 60_000);
  await withTransaction(services, (ctx) => pushTest(ctx, { userId: user.id }));
  clock.advance(-5 * 60_000);
  await runPushJobs(services);
  const { rows } = await services.pool.query('select state from push_outbox');
  expect(rows).toEqual([{ state: 'unsent' }]);
});
