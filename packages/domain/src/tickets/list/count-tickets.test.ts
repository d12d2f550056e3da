import { createTicket, createUser, createWorkspace, openTestServices } from '@firmdesk/testing';
import { expect, inject, test } from 'vitest';
import { countGroups } from './count-tickets.ts';

test('counts each group of the firm up to one more than the maximum', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const { services } = base;
  const [firm, other] = [await createWorkspace(services), await createWorkspace(services)];
  for (const [each, count] of [
    [firm, 3],
    [other, 6],
  ] as const) {
    const trader = await createUser(services, { firm: each, role: 'trader' });
    for (let i = 0; i < count; i++)
      await createTicket(services, { firm: each, trader, status: 'awaiting_admin' });
    await createTicket(services, { firm: each, trader, status: 'open' });
    await createTicket(services, { firm: each, trader, status: 'closed' });
  }
  const counts = { object: 'ticket_counts', ai: 1, trader: 0, ended: 1, snoozed: 0 };
  expect(await countGroups(services, firm.id, 4)).toEqual({ ...counts, waiting: 3 });
  expect(await countGroups(services, other.id, 4)).toEqual({ ...counts, waiting: 5 });
});
