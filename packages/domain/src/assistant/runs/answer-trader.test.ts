import {
  createTicketFixture,
  createUserWithToken,
  openAssistantGateway,
  type TicketFixture,
} from '@firmdesk/testing/gateway';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { startWorkers } from '../../index.ts';

const { model, gateway } = await openAssistantGateway();
let worker = await startWorkers(gateway.services);
afterAll(() => worker.stop());
let fixture: TicketFixture;
let platform: string;

beforeEach(async () => {
  fixture = await createTicketFixture(gateway);
  ({ token: platform } = await createUserWithToken(gateway, { firm: fixture.firm }));
  model.behave({ kind: 'reply', words: ['It is', ' on its way.'] });
});

async function write(ticket: string, body: string): Promise<void> {
  const answer = await gateway.rpc('tickets.platform.write', {
    token: platform,
    body: { ticket, from: fixture.trader.email, body },
  });
  expect(answer.code).toBe(null);
  gateway.clock.advance(1);
}

const repliesOf = async (ticket: string) =>
  (await fixture.messagesOf(ticket)).filter(({ from_kind }) => from_kind === 'ai');
const notesOf = async (ticket: string) =>
  (await fixture.messagesOf(ticket)).filter(({ event }) => event === 'ai_command_failed');
const untilStatus = (ticket: string, status: string) =>
  vi.waitFor(async () => expect(await fixture.statusOf(ticket)).toBe(status), { timeout: 30_000 });
const untilStreaming = (ticket: string) =>
  vi.waitFor(async () => expect(await repliesOf(ticket)).toMatchObject([{ streaming: true }]), {
    timeout: 30_000,
  });

test('answers each message of the trader, and the ticket then awaits the trader', async () => {
  const ticket = await fixture.createTicket({ status: 'open' });
  await write(ticket, 'Where is my payout?');
  await untilStatus(ticket, 'awaiting_trader');
  expect(await repliesOf(ticket)).toMatchObject([{ body: 'It is on its way.', streaming: false }]);
  await write(ticket, 'Thank you. When?');
  await vi.waitFor(async () => expect(await repliesOf(ticket)).toHaveLength(2), { timeout: 30_000 });
  await untilStatus(ticket, 'awaiting_trader');
});

test('leaves the ticket to the team if the assistant is off', async () => {
  const ticket = await fixture.createTicket({ status: 'awaiting_trader', aiEnabled: false });
  await write(ticket, 'Hello?');
  expect(await fixture.statusOf(ticket)).toBe('awaiting_admin');
  const { rows } = await gateway.services.pool.query('select from assistant_runs where ticket_id = $1', [
    ticket,
  ]);
  expect(rows).toEqual([]);
});

test('answers several messages together, and messages that arrive during an answer after it', async () => {
  const ticket = await fixture.createTicket({ status: 'open' });
  model.behave({ kind: 'reply', words: Array(10).fill('word '), pauseMs: 30 });
  await write(ticket, 'one');
  await untilStreaming(ticket);
  for (const body of ['two', 'three', 'four']) await write(ticket, body);
  await vi.waitFor(
    async () => expect(await repliesOf(ticket)).toMatchObject([{ streaming: false }, { streaming: false }]),
    { timeout: 30_000 },
  );
  await untilStatus(ticket, 'awaiting_trader');
  const last = model.requests.at(-1)!.body.messages[1]!.content;
  for (const body of ['one', 'two', 'three', 'four']) expect(last).toContain(`"${body}"`);
});

test('stops in the middle of a word when a teammate replies', async () => {
  const ticket = await fixture.createTicket({ status: 'open' });
  model.behave({ kind: 'stall', words: ['Hel'] });
  await write(ticket, 'Hello?');
  await untilStreaming(ticket);
  const answer = await gateway.rpc('tickets.reply', {
    token: fixture.token,
    body: { ticket, body: 'A person here.' },
  });
  expect(answer.code).toBe(null);
  expect(await notesOf(ticket)).toMatchObject([
    { internal: true, body: 'The assistant did not answer: the team has taken over.' },
  ]);
  expect(await repliesOf(ticket)).toEqual([]);
  expect(await fixture.statusOf(ticket)).toBe('awaiting_trader');
  await vi.waitFor(() => expect(model.open()).toBe(0), { timeout: 30_000 });
});

test('stops the running and waiting replies of a ticket that the team resolves', async () => {
  const ticket = await fixture.createTicket();
  model.behave({ kind: 'stall', words: ['Hel'] });
  await fixture.askAssistant(ticket);
  await untilStreaming(ticket);
  await fixture.askAssistant(ticket);
  const resolved = await gateway.rpc('tickets.setStatus', {
    token: fixture.token,
    body: { ticket, status: 'resolved' },
  });
  expect(resolved.code).toBe(null);
  expect(await notesOf(ticket)).toHaveLength(2);
  expect(await fixture.statusOf(ticket)).toBe('resolved');
  await vi.waitFor(() => expect(model.open()).toBe(0), { timeout: 30_000 });
});

test('leaves the ticket to the team and notifies it if the model fails', async () => {
  const ticket = await fixture.createTicket({ status: 'open' });
  model.behave({ kind: 'error', status: 400 });
  await write(ticket, 'Hello?');
  await untilStatus(ticket, 'awaiting_admin');
  expect((await fixture.messagesOf(ticket)).at(-1)).toMatchObject({
    event: 'ai_command_failed',
    internal: true,
  });
  const { rows } = await gateway.services.pool.query(
    `select user_id from notifications where kind = 'ticket_awaiting_admin' and action_url like $1`,
    [`%${ticket}`],
  );
  expect(rows.map(({ user_id }) => user_id)).toContain(fixture.agent.id);
});

test('does not answer beyond the allowance', async () => {
  await gateway.services.pool.query('update workspaces set assistant_monthly_allowance = 0 where id = $1', [
    fixture.firm.id,
  ]);
  const ticket = await fixture.createTicket({ status: 'open' });
  await write(ticket, 'Hello?');
  await untilStatus(ticket, 'awaiting_admin');
  expect(await repliesOf(ticket)).toEqual([]);
});

test('requests the answer again that a command had replaced before it started, if the command fails', async () => {
  const ticket = await fixture.createTicket({ status: 'open' });
  await worker.stop();
  await write(ticket, 'Hello?');
  expect((await fixture.askAssistant(ticket, 'FAIL')).status).toBe(201);
  model.behave(({ body }) =>
    body.messages[1]!.content.endsWith('FAIL')
      ? { kind: 'error', status: 400 }
      : { kind: 'reply', words: ['Hello.'] },
  );
  worker = await startWorkers(gateway.services);
  await untilStatus(ticket, 'awaiting_trader');
  await vi.waitFor(async () => expect(await repliesOf(ticket)).toMatchObject([{ body: 'Hello.' }]), {
    timeout: 30_000,
  });
  const failures = (await fixture.messagesOf(ticket)).filter(({ event }) => event === 'ai_command_failed');
  expect(failures).toHaveLength(1);
  await untilStatus(ticket, 'awaiting_trader');
});

test('answers a ticket that a trader opens', async () => {
  const { data } = await gateway.rpc('tickets.platform.open', {
    token: platform,
    body: { from: fixture.trader.email, subject: 'Payout', body: 'Where is it?' },
  });
  expect(data.ticket.status).toBe('open');
  await untilStatus(data.ticket.id, 'awaiting_trader');
  expect(await repliesOf(data.ticket.id)).toMatchObject([{ body: 'It is on its way.', streaming: false }]);
});

test('answers once when the assistant is switched on repeatedly, and leaves the ticket to the trader if the assistant wrote last', async () => {
  const handToAssistant = async (ticket: string) =>
    (await gateway.rpc('tickets.switchAssistant', { token: fixture.token, body: { ticket, enabled: true } }))
      .data.status;
  const waiting = await fixture.createTicket({
    aiEnabled: false,
    lastFrom: 'trader',
    messages: [{ body: 'Hello?' }],
  });
  const answered = await fixture.createTicket({ lastFrom: 'ai', messages: [{ from: 'ai', body: 'Hello.' }] });
  model.behave({ kind: 'reply', words: Array(10).fill('word '), pauseMs: 30 });
  expect(await handToAssistant(waiting)).toBe('open');
  await untilStreaming(waiting);
  expect(await handToAssistant(waiting)).toBe('open');
  expect(await handToAssistant(answered)).toBe('awaiting_trader');
  await untilStatus(waiting, 'awaiting_trader');
  expect(await repliesOf(waiting)).toMatchObject([{ streaming: false }]);
  const { rows } = await gateway.services.pool.query(
    'select state from assistant_runs where ticket_id = any($1)',
    [[waiting, answered]],
  );
  expect(rows).toEqual([{ state: 'done' }]);
});

test('leaves a ticket to the team when a command is stopped after the assistant was switched off', async () => {
  const ticket = await fixture.createTicket({
    status: 'open',
    lastFrom: 'trader',
    messages: [{ body: 'Hello?' }],
  });
  model.behave({ kind: 'stall', words: ['Hel'] });
  await fixture.askAssistant(ticket);
  await untilStreaming(ticket);
  const call = (name: string, body: object) => gateway.rpc(`tickets.${name}`, { token: fixture.token, body });
  await call('switchAssistant', { ticket, enabled: false });
  await call('stopAssistant', { ticket });
  await untilStatus(ticket, 'awaiting_admin');
});
