import { openTestServices } from '@firmdesk/testing';
import { expect, inject, test, vi } from 'vitest';
import { closeServices, createServices } from '../../app/services.ts';
import { type Clock, DatabaseClock } from './clock.ts';

const MINUTE_MS = 60_000;

/** Returns the difference to this machine's clock, which the database uses here. */
const offsetOf = (clock: Clock) => Math.abs(clock.now().getTime() - Date.now());

test('follows the database’s clock after connecting, on a machine whose clock is two minutes off', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const now = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 2 * MINUTE_MS);
  const clock = new DatabaseClock();
  vi.restoreAllMocks();
  expect(offsetOf(clock)).toBeGreaterThan(MINUTE_MS);
  const services = await createServices({ databaseUrl: base.databaseUrl, clock });
  try {
    await services.pool.query('select 1');
    await expect.poll(() => offsetOf(services.clock)).toBeLessThan(10_000);
  } finally {
    await closeServices(services);
  }
});

test('ignores changes of the machine’s clock while the process runs', () => {
  const clock = new DatabaseClock();
  const before = clock.now().getTime();
  const now = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 10 * MINUTE_MS);
  expect(clock.now().getTime() - before).toBeLessThan(MINUTE_MS);
  vi.restoreAllMocks();
});

test('ignores a difference that the delay of a slow answer can explain', () => {
  const clock = new DatabaseClock();
  const at = performance.now();
  const own = Date.now();
  clock.correct(own + 900, at, at + 2_000);
  expect(Math.abs(clock.now().getTime() - own)).toBeLessThan(500);
});
