import { expect, inject, test } from 'vitest';
import { openTestServices } from '../testing/index.ts';
import { demoWorld, importWorld } from './index.ts';

test('the demo world imports', async () => {
  await using test_ = await openTestServices(inject('postgresUrl'));
  const made = await importWorld(test_.services, demoWorld(test_.services.clock.now()));
  expect(Object.keys(made.ids.tickets).length).toBeGreaterThan(50);
  expect(made.tokens['demo']).toMatch(/^fd_live_/);
});
