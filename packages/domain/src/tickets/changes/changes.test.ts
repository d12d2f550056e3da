import {
  createTicket,
  createUser,
  createWorkspace,
  openTestServices,
  type TestServices,
  type TestUser,
} from '@firmdesk/testing';
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import type { WorkspaceRef } from '../../access/identity.ts';
import { sqlOf } from '../../platform/database/database.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import type * as Ids from '../../platform/process/ids.ts';
import { receiveTraderMessage, writeTraderMessage } from '../messages/trader-messages.ts';
import { lockTicket } from '../ticket-state.ts';
import { addMessage, changeTicket } from './changes.ts';
import { statusAfter } from './status.ts';

let base: TestServices;
let firm: WorkspaceRef;
let trader: TestUser;
beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
});
afterAll(() => base[Symbol.asyncDispose]());
beforeEach(async () => {
  firm = await createWorkspace(base.services);
  trader = await createUser(base.services, { firm, role: 'trader' });
});

const write = (ticket: string, body: string) =>
  withTransaction(base.services, (ctx) =>
    writeTraderMessage({ ...ctx, workspace: firm }, { ticket, from: trader.email, body, via_email: false }),
  );
const answer = (id: string, body: string) =>
  withTransaction(base.services, async (ctx) => {
    const ticket = await lockTicket(ctx, firm.id, id);
    const status = statusAfter('answered', ticket.status);
    return addMessage(ctx, ticket, { from: 'admin', authorId: null, author: 'A', body }, { status });
  });
const end = (id: string, status: 'resolved' | 'closed') =>
  withTransaction(base.services, async (ctx) => {
    const ticket = await lockTicket(ctx, firm.id, id);
    return changeTicket(ctx, ticket, { status: statusAfter(`set_${status}`, ticket.status) });
  });
const row = (id: string) =>
  sqlOf(base.services.orm).selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('counts every message of concurrent writers and shows the last one', async () => {
  const id = await createTicket(base.services, { firm, trader, status: 'awaiting_admin', aiEnabled: false });
  await Promise.all(
    Array.from({ length: 30 }, (_, i) => {
      base.clock.advance(i % 2 ? 5 : -3);
      return i % 3 === 0 ? answer(id, `a${i}`) : write(id, `t${i}`);
    }),
  );
  const { rows } = await base.services.pool.query<{ from_kind: string; created_at: string }>(
    'select from_kind, created_at from ticket_messages where ticket_id = $1 order by created_at desc, id desc',
    [id],
  );
  const ticket = await row(id);
  expect(rows).toHaveLength(30);
  expect(ticket.unread).toBe(20);
  expect(ticket.last_message_at).toBe(rows[0]!.created_at);
  expect(ticket.status).toBe(ticket.last_from === 'trader' ? 'awaiting_admin' : 'awaiting_trader');
  const lastOfTrader = rows.find(({ from_kind }) => from_kind === 'trader')!;
  expect(ticket.trader_wrote_at).toBe(lastOfTrader.created_at);
});

test('lets one of several concurrent calls end a ticket', async () => {
  const id = await createTicket(base.services, { firm, trader, status: 'open' });
  const results = await Promise.allSettled(
    (['resolved', 'closed', 'resolved', 'closed', 'resolved'] as const).map((status) => end(id, status)),
  );
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused).toHaveLength(4);
  for (const { reason } of refused) expect(reason).toMatchObject({ apiCode: 'ticket_ended' });
});

test('stores a message that a trader writes while the ticket ends, there or in a new ticket', async () => {
  for (let i = 0; i < 10; i++) {
    const id = await createTicket(base.services, {
      firm,
      trader,
      status: 'awaiting_trader',
      aiEnabled: false,
    });
    const [wrote] = await Promise.all([write(id, 'wait'), end(id, 'closed')]);
    expect((await row(id)).status).toBe('closed');
    expect(wrote.message.ticket_id).toBe(wrote.ticket.id);
    if (wrote.opened) expect(wrote.ticket.id).not.toBe(id);
    else expect((await row(id)).unread).toBe(1);
  }
});

test('keeps messages in order when the clock goes back', async () => {
  const id = await createTicket(base.services, { firm, trader, status: 'open' });
  base.clock.advance(60_000);
  const first = await write(id, 'first');
  base.clock.advance(-30_000);
  const second = await write(id, 'second');
  const after = new Date(Date.parse(first.message.created_at) + 1).toISOString();
  expect(second.message.created_at).toBe(after);
  expect((await row(id)).last_message_at).toBe(after);
  await end(id, 'closed');
  expect((await row(id)).closed_at).toBe(after);
});

test('adds a message for the operator by the slug of the workspace', async () => {
  const message = { workspace: firm.slug, from: trader.email, body: 'hello', via_email: false };
  const receive = (over: { open: string } | { ticket: string }) =>
    withTransaction(base.services, (ctx) => receiveTraderMessage(ctx, { ...message, ...over }));
  const opened = await receive({ open: 'Payout late' });
  expect(opened).toMatchObject({ opened: true, ticket: { subject: 'Payout late', unread: 1 } });
  const wrote = await receive({ ticket: opened.ticket.id });
  expect(wrote).toMatchObject({ opened: false, ticket: { id: opened.ticket.id, unread: 2 } });
  await expect(
    withTransaction(base.services, (ctx) =>
      receiveTraderMessage(ctx, { ...message, workspace: 'no-such-firm', open: 'S' }),
    ),
  ).rejects.toMatchObject({ apiCode: 'resource_not_found' });
});

test('tries another id if the ticket number is taken', async () => {
  const numbers = await Promise.all(
    Array.from(
      { length: 3 },
      async () => (await row(await createTicket(base.services, { firm, trader }))).number,
    ),
  );
  const drawn = [...numbers];
  vi.resetModules();
  vi.doMock('../../platform/process/ids.ts', async (original) => {
    const ids = await original<typeof Ids>();
    const newId: typeof ids.newId = (kind, now) => {
      const id = ids.newId(kind, now);
      const number = kind === 'ticket' ? drawn.shift() : undefined;
      return number === undefined ? id : id.slice(0, -number.length) + number.toLowerCase();
    };
    return { ...ids, newId };
  });
  // Loaded anew, with the numbers of these tickets for the first ones that it draws.
  const traderMessages = await import('../messages/trader-messages.ts');
  const { ticket } = await withTransaction(base.services, (ctx) =>
    traderMessages.openTicket(
      { ...ctx, workspace: firm },
      {
        from: trader.email,
        subject: 'drawn',
        body: 'x',
        via_email: false,
        priority: 'normal',
        ai_enabled: true,
      },
    ),
  );
  expect(drawn).toEqual([]);
  const opened = await row(ticket.id);
  expect(opened).toMatchObject({ subject: 'drawn', unread: 1 });
  expect(numbers).not.toContain(opened.number);
});
