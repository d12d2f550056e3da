import type { ListTicketsInput } from '@firmdesk/contract';
import {
  createTeam,
  createTicket,
  createUser,
  createWorkspace,
  openTestServices,
  type TestUser,
} from '@firmdesk/testing';
import { expect, inject, test } from 'vitest';
import { newContext } from '../../platform/database/transaction.ts';
import { newId } from '../../platform/process/ids.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { listTickets, searchTickets } from '../list/list-tickets.ts';
import { countTicketViews } from '../views/count-ticket-views.ts';

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

const calls: [what: string, locked: string, run: (ctx: AccountContext) => Promise<unknown>][] = [
  ['a search for words', 'search_words', (ctx) => listTickets(ctx, input)],
  [
    'a list by a filter that no index has',
    'ticket_messages',
    (ctx) => searchTickets(ctx, { sort: 'queue', limit: 20, replied_by: 'team' }),
  ],
  ['a fresh count of views', 'tickets', (ctx) => countTicketViews(ctx, { fresh: true })],
];

test.each(calls)('%s does not wait for many of another account', async (_, locked, run) => {
  await using base = await openTestServices(inject('postgresUrl'));
  const { services } = base;
  const firm = await createWorkspace(services);
  const [rushing, other] = [await createUser(services, { firm }), await createUser(services, { firm })];
  const trader = await createUser(services, { firm, role: 'trader' });
  await createTicket(services, { firm, trader, messages: [{ body: 'A refund' }] });
  const team = await createTeam(services, { firm, members: [rushing, other] });
  await services.pool.query(
    `insert into ticket_views (workspace_id, id, team_id, name, search, created_at) values ($1, $2, $3, 'All', '{}', now())`,
    [firm.id, newId('ticketView', new Date()), team],
  );
  const ended: string[] = [];
  const call = async ({ id }: TestUser) => {
    const user = { id, timezone: 'UTC' };
    await run({ ...newContext(services), workspace: firm, identity: { user } } as AccountContext);
    ended.push(id);
  };
  const locker = await services.pool.connect();
  await locker.query(`begin; lock table ${locked} in access exclusive mode`);
  const rush = Array.from({ length: RUSH }, () => call(rushing));
  const answers = [...rush, call(other)];
  await expect
    .poll(
      async () => {
        const { rows } = await locker.query(
          `select from pg_locks where not granted and relation = $1::regclass
             and database = (select oid from pg_database where datname = current_database())`,
          [locked],
        );
        return rows.length;
      },
      { timeout: 4_000 },
    )
    .toBe(4);
  await locker.query('rollback');
  locker.release();
  await Promise.all(answers);
  expect(ended.indexOf(other.id)).toBeLessThan(RUSH / 2);
});
