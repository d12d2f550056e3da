import { authenticate } from '@firmdesk/domain';
import { openTestServices } from '@firmdesk/testing';
import { expect, inject, test } from 'vitest';
import { DEMO_TOKEN } from '../demo/account.ts';
import { demoSeed } from '../demo/index.ts';
import { countRows } from '../testing/database.ts';
import { importSeed } from './import-seed.ts';

test.each([
  ['today', new Date().toISOString()],
  ['a leap day', '2028-02-29T23:59:59.999Z'],
  ['the end of summer time in Europe', '2026-10-25T01:30:00Z'],
  ["New Year's Day", '2029-01-01T00:30:00Z'],
])('imports the demo data on %s with a valid token', async (_name, day) => {
  await using base = await openTestServices(inject('postgresUrl'));
  base.clock.advance(Date.parse(day) - base.clock.now().getTime());
  const now = base.clock.now();
  const seed = demoSeed(now);
  const imported = await importSeed(base.services, seed);
  expect(imported.reports).toEqual([]);
  expect(await countRows(base.services)).toMatchObject({
    users: seed.users!.length,
    mail_messages: seed.messages!.length,
    events: seed.events!.length,
    tickets: seed.tickets!.length,
    notifications: seed.notifications!.length,
    affiliate_pre_registrations: seed.pre_registrations!.length,
  });
  const identity = await authenticate(base.services, imported.tokens[DEMO_TOKEN]!, now);
  expect(identity).toMatchObject({ user: { email: 'maya@northgate.example' } });
});
