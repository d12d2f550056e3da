import { expect, inject, test, vi } from 'vitest';
import { openTestServices } from '../../testing/services.ts';
import { withTransaction } from '../transaction.ts';
import { sendSignal } from './signal.ts';

test('checks for a signal when it arrives, when listening starts, and after a reconnection', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const { services } = base;
  const check = vi.fn();
  services.live.onSignal('run', '1', check);
  await expect.poll(() => check.mock.calls.length).toBe(1);

  const later = vi.fn();
  const end = services.live.onSignal('run', '2', later);
  expect(later).toHaveBeenCalledTimes(1);

  await withTransaction(services, (ctx) => sendSignal(ctx, 'run', '1'));
  await expect.poll(() => check.mock.calls.length).toBe(2);
  expect(later).toHaveBeenCalledTimes(1);

  end();
  await services.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'firmdesk listener'`,
  );
  await expect.poll(() => check.mock.calls.length).toBe(3);
  expect(later).toHaveBeenCalledTimes(1);
});
