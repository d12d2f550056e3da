import { setTimeout as delay } from 'node:timers/promises';
import { countLockWaiters, createTicket, createUser, createWorkspace } from '@firmdesk/testing';
import { createUserWithToken, suiteGateway, ticketCalls } from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';
import { runDelayedSend } from '../../tickets/messages/delayed-sends.ts';
import { eraseAccount } from './erase-account.ts';

const gateway = await suiteGateway();
const { services } = gateway;
const { pool } = services;
const operator = { kind: 'operator', id: null, name: 'ines' } as never;

test('an erasure waits for a job that is sending a reply of the account, whose name it has read', async () => {
  const permissions = ['view_tickets', 'manage_tickets'] as const;
  const robin = await createUserWithToken(gateway, { name: 'Robin Example', permissions: [...permissions] });
  const { firm } = robin;
  const colleague = await createUserWithToken(gateway, { firm, permissions: [...permissions] });
  const trader = await createUser(services, { firm, role: 'trader' });
  const ticket = await createTicket(services, { firm, trader, status: 'awaiting_admin' });
  const delaySend = async (token: string, body: string, actions?: object): Promise<string> =>
    (await ticketCalls(gateway, () => token).call('holdReply', { ticket, body, ...(actions && { actions }) }))
      .id;
  const first = await delaySend(colleague.token, 'Hello.');
  gateway.clock.advance(1_000);
  // Sends the first one before, and so stops at the lock below, after it has read both.
  const end = { add_tags: [], status: 'resolved', priority: null, assignee: null };
  const second = await delaySend(robin.token, 'Paid on Monday.', end);
  const lock = await pool.connect();
  try {
    await lock.query('begin');
    await lock.query('select from delayed_sends where workspace_id = $1 and id = $2 for update', [
      firm.id,
      first,
    ]);
    const sending = runDelayedSend(services, { workspace: firm.id, ticket, id: second });
    await expect.poll(waitingNow).toBe(1);
    let isErased = false;
    const erasing = eraseAccount(services, robin.user.email, { actor: operator }).then(() => {
      isErased = true;
    });
    while (!isErased && (await waitingNow()) < 2) await delay(10);
    await lock.query('rollback');
    await Promise.all([sending, erasing]);
  } finally {
    lock.release();
  }
  const { data } = await ticketCalls(gateway, () => colleague.token).call('messages', { ticket });
  expect(data).toMatchObject([{ id: second, author: 'Former user', internal: false }, { id: first }]);
});

test('an erasure by a firm that was interrupted at its end leaves no name when it is continued', async () => {
  const [firm, other] = [await createWorkspace(services), await createWorkspace(services)];
  const trader = await createUser(services, { firm, role: 'trader', name: 'Tam Trader' });
  const { id } = trader;
  await pool.query(
    `insert into memberships (workspace_id, user_id, role, active, permissions, created_at) values ($1, $2, 'trader', true, '{}', now())`,
    [other.id, id],
  );
  await createTicket(services, { firm, trader, messages: [{ body: 'Where is it?' }] });
  const erase = () => eraseAccount(services, id, { actor: operator, firm: firm.slug });
  await pool.query(
    'create table refused (firm integer, account text, constraint killed foreign key (firm, account) references memberships (workspace_id, user_id))',
  );
  await pool.query('insert into refused values ($1, $2)', [firm.id, id]);
  await expect(erase()).rejects.toThrow('killed');
  await pool.query('drop table refused');
  await erase();
  const { rows } = await pool.query(
    `select u.name, t.search_text from tickets t join users u on u.id = t.trader_id where t.workspace_id = $1`,
    [firm.id],
  );
  expect(rows).toMatchObject([{ name: 'Former user' }]);
  expect(rows[0].search_text).not.toContain('tam');
  expect((await pool.query('select name from users where id = $1', [id])).rows).toEqual([
    { name: 'Tam Trader' },
  ]);
});

test('two firms that forget one account at once leave no identity behind', async () => {
  const [one, other] = [await createWorkspace(services), await createWorkspace(services)];
  const { id } = await createUser(services, { firm: one, role: 'trader', name: 'Tam Trader' });
  await pool.query(
    `insert into memberships (workspace_id, user_id, role, active, permissions, created_at) values ($1, $2, 'trader', true, '{}', now())`,
    [other.id, id],
  );
  // Nothing waits for the lock below before both have found the other firm.
  await pool.query('update memberships set active = false where user_id = $1', [id]);
  const lock = await pool.connect();
  try {
    await lock.query('begin');
    await lock.query('select from memberships where user_id = $1 for update', [id]);
    const erasing = Promise.all(
      [one, other].map((firm) => eraseAccount(services, id, { actor: operator, firm: firm.slug })),
    );
    await expect.poll(waitingNow, { timeout: 20_000 }).toBe(2);
    await lock.query('rollback');
    await erasing;
  } finally {
    lock.release();
  }
  const { rows } = await pool.query(
    'select name, email, deleted_at is not null as deleted from users where id = $1',
    [id],
  );
  expect(rows).toEqual([{ name: 'Former user', email: 'former-user@erased.invalid', deleted: true }]);
});

function waitingNow(): Promise<number> {
  return countLockWaiters(services.databaseUrl);
}
