import type { ListTicketsInput } from '@firmdesk/contract';
import { createTicket, createUser, createWorkspace, openTestServices } from '@firmdesk/testing';
import { expect, inject, test } from 'vitest';
import { newContext } from '../../platform/database/transaction.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { listTickets } from '../list/list-tickets.ts';

const RUSH = 40;

const input: ListTicketsInput = {
  status: 'all',
  assignee: 'anyone',
  team: 'any',
  priority: 'all',
  tag: 'all',
  snoozed: 'all',
  sort: 'queue',
  limit: 20,
  q: 'refund',
};

test('does not delay an account’s search behind many searches of another account', async () => {
  await using base = await openTestServices(inject('postgresUrl'));
  const { services } = base;
  const firm = await createWorkspace(services);
  const trader = await createUser(services, { firm, role: 'trader' });
  await createTicket(services, { firm, trader, messages: [{ body: 'A refund' }] });
  const ended: string[] = [];
  const search = async (id: string) => {
    const ctx = { ...newContext(services), workspace: firm, identity: { user: { id } } } as AccountContext;
    const { data } = await listTickets(ctx, input);
    expect(data).toHaveLength(1);
    ended.push(id);
  };
  const locker = await services.pool.connect();
  await locker.query('begin; lock table search_words in access exclusive mode');
  const rush = Array.from({ length: RUSH }, () => search('usr_rush'));
  const searches = [...rush, search('usr_other')];
  await expect
    .poll(
      async () => {
        const { rows } = await locker.query(
          `select from pg_locks where not granted and relation = 'search_words'::regclass
             and database = (select oid from pg_database where datname = current_database())`,
        );
        return rows.length;
      },
      { timeout: 4_000 },
    )
    .toBe(4);
  await locker.query('rollback');
  locker.release();
  await Promise.all(searches);
  expect(ended.indexOf('usr_other')).toBeLessThan(RUSH / 2);
});
