import { expect, inject, test } from 'vitest';
import { sqlOf } from '../kernel/database.ts';
import { withTransaction } from '../kernel/transaction.ts';
import { mintFirm, mintToken, mintUser } from '../testing/mint.ts';
import { openTestServices } from '../testing/services.ts';
import { pushTest } from './enqueue.ts';
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
