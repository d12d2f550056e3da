import type { TicketWithCan } from '@firmdesk/contract';
import { createTag, createTicket, createUser, type TestUser } from '@firmdesk/testing';
import { createUserWithToken, type Firm, suiteGateway, ticketCalls } from '@firmdesk/testing/gateway';
import { beforeEach, expect, test } from 'vitest';
import { runDelayedSend } from './delayed-sends.ts';

const gateway = await suiteGateway();
const { services } = gateway;
let firm: Firm;
let user: TestUser;
let token: string;
let ticket: string;
let tags: number[];
const { rpc, call, bodiesOf } = ticketCalls(gateway, () => token);

beforeEach(async () => {
  ({ firm, user, token } = await createUserWithToken(gateway, {
    permissions: ['view_tickets', 'manage_tickets', 'manage_assistant'],
  }));
  const trader = await createUser(services, { firm, role: 'trader' });
  tags = [
    await createTag(services, { firm, name: 'old' }),
    await createTag(services, { firm, name: 'Fresh' }),
  ];
  ticket = await createTicket(services, { firm, trader, status: 'awaiting_admin', tags: [tags[0]!] });
});

const read = (): Promise<TicketWithCan> => call('get', { ticket });
const actions = (over: object = {}) => ({
  add_tags: [tags[1]],
  status: 'resolved',
  priority: 'low',
  assignee: user.id,
  ...over,
});
const changed = () => ({
  status: 'resolved',
  priority: 'low',
  assignee: { id: user.id },
  tags: [{ name: 'Fresh' }, { name: 'old' }],
});
const macro = async (as = token): Promise<{ id: string }> =>
  (
    await gateway.rpc('macros.create', {
      token: as,
      body: { name: 'Paid', texts: [{ language: 'en', text: 'Paid.' }] },
    })
  ).data;
const uses = async (as = token) =>
  (await gateway.rpc('macros.list', { token: as, body: {} })).data.data.map(
    (each: { used: number }) => each.used,
  );

test('a reply changes its ticket in one go, and counts its macros', async () => {
  const { id } = await macro();
  const elsewhere = await createUserWithToken(gateway, {
    permissions: ['view_tickets', 'manage_tickets', 'manage_assistant'],
  });
  const foreign = await macro(elsewhere.token);
  await call('reply', {
    ticket,
    body: 'Paid.',
    actions: actions(),
    macros: [id, foreign.id, 'mac_unknown'],
  });
  expect(await read()).toMatchObject(changed());
  expect(await uses()).toEqual([1]);
  expect(await uses(elsewhere.token)).toEqual([0]);
});

test('a delayed send changes its ticket when it runs, after the other delayed sends', async () => {
  const { id } = await macro();
  const delayed = await call('holdReply', { ticket, body: 'Paid.', actions: actions(), macros: [id] });
  gateway.clock.advance(1_000);
  await call('holdReply', { ticket, body: 'One more thing.' });
  expect(await read()).toMatchObject({
    status: 'awaiting_admin',
    priority: 'normal',
    tags: [{ name: 'old' }],
  });
  expect(await uses()).toEqual([0]);
  await runDelayedSend(services, { workspace: firm.id, ticket, id: delayed.id });
  expect(await bodiesOf(ticket)).toEqual(['Paid.', 'One more thing.']);
  expect(await read()).toMatchObject(changed());
  expect(await uses()).toEqual([1]);
});

test('a reply that is taken back changes nothing', async () => {
  const { id } = await macro();
  const delayed = await call('holdReply', { ticket, body: 'Paid.', actions: actions(), macros: [id] });
  await call('takeBackReply', { ticket, id: delayed.id });
  await runDelayedSend(services, { workspace: firm.id, ticket, id: delayed.id });
  expect(await read()).toMatchObject({ status: 'awaiting_admin', tags: [{ name: 'old' }] });
  expect(await uses()).toEqual([0]);
});

test('a delayed send runs without a tag that was deleted meanwhile', async () => {
  const delayed = await call('holdReply', { ticket, body: 'Paid.', actions: actions() });
  await services.pool.query('update tags set deleted_at = now() where workspace_id = $1 and id = $2', [
    firm.id,
    tags[1],
  ]);
  await runDelayedSend(services, { workspace: firm.id, ticket, id: delayed.id });
  expect(await read()).toMatchObject({ ...changed(), tags: [{ name: 'old' }] });
});

test('a reply with a tag or an agent of another firm, or too many tags, is not sent', async () => {
  const elsewhere = await createUserWithToken(gateway);
  const tag = await createTag(services, { firm: elsewhere.firm });
  const many = await Promise.all(Array.from({ length: 20 }, () => createTag(services, { firm })));
  const refused: [object, string][] = [
    [{ add_tags: [tag] }, 'actions.add_tags[0]'],
    [{ assignee: elsewhere.user.id }, 'actions.assignee'],
    [{ add_tags: many }, 'actions.add_tags'],
  ];
  for (const procedure of ['reply', 'holdReply'])
    for (const [over, path] of refused) {
      const answer = await rpc(procedure, { ticket, body: 'Paid.', actions: actions(over) });
      expect([answer.code, answer.fields?.map((field) => field.path)], answer.text).toEqual([
        'validation_failed',
        [path],
      ]);
    }
  expect(await bodiesOf(ticket)).toEqual([]);
});

test('an ended ticket sends replies that end it again without their end', async () => {
  const delayed = await call('holdReply', { ticket, body: 'Paid.', actions: actions({ status: 'closed' }) });
  await call('setStatus', { ticket, status: 'resolved' });
  await runDelayedSend(services, { workspace: firm.id, ticket, id: delayed.id });
  expect(await bodiesOf(ticket)).toEqual(['Paid.']);
  expect(await read()).toMatchObject(changed());
});
