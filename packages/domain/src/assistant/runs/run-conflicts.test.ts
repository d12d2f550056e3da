import { type ChildProcess, spawn } from 'node:child_process';
import type { TicketMessage } from '@firmdesk/contract';
import type { FakeOpenAiServer } from '@firmdesk/testing';
import {
  createTicketFixture,
  createUserWithToken,
  followTicket,
  lockTicketRow,
  openAssistantGateway,
  type TicketFixture,
} from '@firmdesk/testing/gateway';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startWorkers, type Worker } from '../../index.ts';

const ANSWERED = 'This is the answer.';
const COMMANDED = 'This is what was asked for.';

const { model, gateway } = await openAssistantGateway();
const otherNode = await gateway.secondNode();
let fixture: TicketFixture;
let platform: string;

beforeEach(async () => {
  fixture = await createTicketFixture(gateway);
  ({ token: platform } = await createUserWithToken(gateway, { firm: fixture.firm }));
});

type Behaviour = Exclude<Parameters<FakeOpenAiServer['behave']>[0], (...args: never[]) => unknown>;

/** Sets how the model behaves for answers and for commands. */
function behave(answer: Behaviour, command: Behaviour): void {
  model.behave(({ body }) => (body.messages[1]!.content.endsWith('latest message.') ? answer : command));
}

/** Returns a behaviour that delays the end of a reply until it is released. */
function waitingReply(text: string): { behaviour: Behaviour; release(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { behaviour: { kind: 'hold', words: text.split(/(?<=\s)/), until: promise }, release: resolve };
}

async function traderWrites(ticket: string, body: string): Promise<void> {
  const { code } = await gateway.rpc('tickets.platform.write', {
    token: platform,
    body: { ticket, from: fixture.trader.email, body },
  });
  expect(code).toBe(null);
  gateway.clock.advance(1);
}

async function teammateReplies(ticket: string): Promise<void> {
  const { code } = await gateway.rpc('tickets.reply', {
    token: fixture.token,
    body: { ticket, body: 'A person.' },
  });
  expect(code).toBe(null);
  gateway.clock.advance(1);
}

/** Returns the ticket's messages, oldest first. */
async function load(ticket: string): Promise<TicketMessage[]> {
  const { data } = await gateway.rpc('tickets.messages', { token: fixture.token, body: { ticket } });
  return data.data.reverse();
}

const shown = (messages: TicketMessage[]) =>
  messages.map(({ from, event, body }) => event ?? `${from}: ${body}`);
const WAIT = { timeout: 15_000 };
const untilStreaming = (ticket: string) =>
  vi.waitFor(
    async () => expect((await load(ticket)).some((m) => m.streaming && m.from === 'ai')).toBe(true),
    WAIT,
  );

async function runsOf(ticket: string): Promise<string[]> {
  const { rows } = await gateway.services.pool.query(
    `select kind || ' ' || state as run from assistant_runs where ticket_id = $1 order by id`,
    [ticket],
  );
  return rows.map(({ run }) => run);
}
const untilRuns = (ticket: string, runs: string[]) =>
  vi.waitFor(async () => expect(await runsOf(ticket)).toEqual(runs), WAIT);

async function ticketOf(id: string) {
  const { data } = await gateway.rpc('tickets.get', { token: fixture.token, body: { ticket: id } });
  return data;
}

describe('with a worker on another node', () => {
  let worker: Worker;
  beforeAll(async () => {
    worker = await startWorkers(otherNode.services);
  });
  afterAll(() => worker.stop());

  test('replaces a running answer with the reply to a command, without a note', async () => {
    behave({ kind: 'stall', words: ['Never ', 'stored.'] }, { kind: 'reply', words: [COMMANDED] });
    const ticket = await fixture.createTicket({ status: 'open' });
    using viewer = await followTicket({ url: otherNode.url, token: fixture.token, ticket });
    await traderWrites(ticket, 'Where is my payout?');
    await untilStreaming(ticket);
    await vi.waitFor(() => expect(viewer.types()).toContain('text_delta'), WAIT);

    expect((await fixture.askAssistant(ticket)).status).toBe(201);
    const [emptied] = (await load(ticket)).filter(({ from }) => from === 'ai');
    expect(emptied?.body ?? '').not.toContain('Never');
    // If the answer were not stopped, it would fail only after 20 s without text.
    await vi.waitFor(async () => expect(await runsOf(ticket)).toEqual(['answer failed', 'command done']), {
      timeout: 30_000,
    });
    await vi.waitFor(() => expect(model.open()).toBe(0), { timeout: 30_000 });

    const conversation = await load(ticket);
    expect(shown(conversation)).toEqual(['trader: Where is my payout?', 'ai_command', `ai: ${COMMANDED}`]);
    expect(conversation.filter(({ streaming }) => streaming)).toEqual([]);
    await vi.waitFor(() => expect(viewer.messages()).toEqual(conversation), WAIT);
    expect(viewer.textOf(conversation.at(-1)!.id)).toBe(COMMANDED);
    expect(await ticketOf(ticket)).toMatchObject({ status: 'awaiting_trader', last_from: 'ai', unread: 2 });
    const settings = await gateway.rpc('tickets.assistantSettings', { token: fixture.token });
    expect(settings.data.used).toBe(2);
  });

  test('replaces running and waiting answers with a command, and requests an answer again if the command fails', async () => {
    const answer = waitingReply('Never stored.');
    behave(answer.behaviour, { kind: 'error', status: 400 });
    const ticket = await fixture.createTicket({ status: 'open' });
    await traderWrites(ticket, 'one');
    await untilStreaming(ticket);
    await traderWrites(ticket, 'two');
    behave({ kind: 'reply', words: [ANSWERED] }, { kind: 'error', status: 400 });
    await fixture.askAssistant(ticket);
    await untilRuns(ticket, ['answer failed', 'answer failed', 'command failed', 'answer done']);
    expect(shown(await load(ticket))).toEqual([
      'trader: one',
      'trader: two',
      'ai_command',
      'ai_command_failed',
      `ai: ${ANSWERED}`,
    ]);
    expect((await ticketOf(ticket)).status).toBe('awaiting_trader');
    answer.release();
  });

  test('replaces the answer with a command beyond the allowance, and leaves the ticket to the team', async () => {
    await gateway.services.pool.query('update workspaces set assistant_monthly_allowance = 1 where id = $1', [
      fixture.firm.id,
    ]);
    behave({ kind: 'stall', words: ['Hel'] }, { kind: 'reply', words: [COMMANDED] });
    const ticket = await fixture.createTicket({ status: 'open' });
    await traderWrites(ticket, 'Hello?');
    await untilStreaming(ticket);
    await fixture.askAssistant(ticket);
    await untilRuns(ticket, ['answer failed', 'command failed']);
    expect(shown(await load(ticket))).toEqual(['trader: Hello?', 'ai_command', 'ai_command_failed']);
    expect((await ticketOf(ticket)).status).toBe('awaiting_admin');
  });

  test('stops running and waiting commands when a teammate replies, each with a note', async () => {
    const command = waitingReply(COMMANDED);
    behave({ kind: 'error', status: 400 }, command.behaviour);
    const ticket = await fixture.createTicket({ messages: [{ body: 'Hello?' }] });
    using viewer = await followTicket({ url: otherNode.url, token: fixture.token, ticket });
    await fixture.askAssistant(ticket, 'first');
    await untilStreaming(ticket);
    await fixture.askAssistant(ticket, 'second');
    await teammateReplies(ticket);
    expect(await runsOf(ticket)).toEqual(['command failed', 'command failed']);
    await vi.waitFor(() => expect(model.open()).toBe(0), { timeout: 30_000 });
    command.release();

    const conversation = await load(ticket);
    expect(shown(conversation)).toEqual([
      'trader: Hello?',
      'ai_command',
      'ai_command',
      'admin: A person.',
      'ai_command_failed',
      'ai_command_failed',
    ]);
    for (const note of conversation.slice(-2)) {
      expect(note.body).toBe('The assistant did not answer: a teammate replied first.');
      expect(note).toMatchObject({ internal: true, streaming: false });
    }
    expect(await ticketOf(ticket)).toMatchObject({ status: 'awaiting_trader', ai_enabled: false, unread: 0 });
    await vi.waitFor(() => expect(viewer.messages()).toEqual(conversation.slice(1)), WAIT);
  });

  test('stops, with one call, a command that replaced an answer, and leaves the ticket to the team', async () => {
    const answer = waitingReply('Not stored.');
    const command = waitingReply(COMMANDED);
    behave(answer.behaviour, command.behaviour);
    const ticket = await fixture.createTicket({ status: 'open' });
    await traderWrites(ticket, 'Hello?');
    await untilStreaming(ticket);
    await fixture.askAssistant(ticket);
    await untilRuns(ticket, ['answer failed', 'command running']);
    const stopped = await gateway.rpc('tickets.stopAssistant', { token: fixture.token, body: { ticket } });
    expect(stopped.data.stopped).toBe(1);
    expect(await runsOf(ticket)).toEqual(['answer failed', 'command failed']);
    expect(shown(await load(ticket))).toEqual(['trader: Hello?', 'ai_command', 'ai_command_failed']);
    expect((await ticketOf(ticket)).status).toBe('awaiting_admin');
    answer.release();
    command.release();
  });

  test('writes the reply to a command after a teammate’s reply', async () => {
    behave({ kind: 'error', status: 400 }, { kind: 'reply', words: [COMMANDED] });
    const ticket = await fixture.createTicket({ messages: [{ body: 'Hello?' }] });
    await teammateReplies(ticket);
    await fixture.askAssistant(ticket);
    await untilRuns(ticket, ['command done']);
    expect(shown(await load(ticket)).at(-1)).toBe(`ai: ${COMMANDED}`);
  });

  test('answers, after a command, the message that the trader wrote during it', async () => {
    const command = waitingReply(COMMANDED);
    behave({ kind: 'reply', words: [ANSWERED] }, command.behaviour);
    const ticket = await fixture.createTicket({ status: 'awaiting_trader' });
    await fixture.askAssistant(ticket);
    await untilStreaming(ticket);
    await traderWrites(ticket, 'One more thing');
    expect((await ticketOf(ticket)).status).toBe('open');
    command.release();
    await untilRuns(ticket, ['command done', 'answer done']);
    expect(shown(await load(ticket)).slice(-2)).toEqual([`ai: ${COMMANDED}`, `ai: ${ANSWERED}`]);
    expect((await ticketOf(ticket)).status).toBe('awaiting_trader');
  });

  test('requests the answer again if a command fails that replaced an answer to a later message', async () => {
    const answer = waitingReply(ANSWERED);
    const second = waitingReply('Not stored.');
    behave(answer.behaviour, { kind: 'error', status: 400 });
    const ticket = await fixture.createTicket({ status: 'open' });
    await traderWrites(ticket, 'one');
    await untilStreaming(ticket);
    await traderWrites(ticket, 'two');
    behave(second.behaviour, { kind: 'error', status: 400 });
    answer.release();
    await untilRuns(ticket, ['answer done', 'answer running']);
    behave({ kind: 'reply', words: ['To two.'] }, { kind: 'error', status: 400 });
    await fixture.askAssistant(ticket);
    await untilRuns(ticket, ['answer done', 'answer failed', 'command failed', 'answer done']);
    expect(shown(await load(ticket)).slice(-2)).toEqual(['ai_command_failed', 'ai: To two.']);
    expect((await ticketOf(ticket)).status).toBe('awaiting_trader');
    second.release();
  });

  test('leaves a message that arrived between two commands to the team if the second command fails', async () => {
    const first = waitingReply(COMMANDED);
    behave({ kind: 'reply', words: [ANSWERED] }, first.behaviour);
    const ticket = await fixture.createTicket({ status: 'awaiting_trader' });
    await fixture.askAssistant(ticket, 'first');
    await untilStreaming(ticket);
    await traderWrites(ticket, 'One more thing');
    behave({ kind: 'reply', words: [ANSWERED] }, { kind: 'error', status: 400 });
    await fixture.askAssistant(ticket, 'second');
    first.release();
    await untilRuns(ticket, ['command done', 'answer failed', 'command failed']);
    expect((await ticketOf(ticket)).status).toBe('awaiting_admin');
  });

  describe.each(['answer', 'command'] as const)(
    'a reply of the kind %s that is about to be stored',
    (kind) => {
      const text = kind === 'answer' ? ANSWERED : COMMANDED;
      const setUp = async () => {
        const reply = waitingReply(text);
        behave(reply.behaviour, reply.behaviour);
        const ticket = await fixture.createTicket({ status: kind === 'answer' ? 'open' : 'awaiting_admin' });
        if (kind === 'answer') await traderWrites(ticket, 'Hello?');
        else await fixture.askAssistant(ticket);
        await untilStreaming(ticket);
        return { ticket, ...reply };
      };

      test('is not stored if a teammate’s reply commits just before it', async () => {
        const { ticket, release } = await setUp();
        await using blocked = await lockTicketRow(gateway, fixture.firm, ticket);
        const replying = teammateReplies(ticket);
        await blocked.waitForWaiters(1);
        release();
        await blocked.waitForWaiters(2);
        await blocked.release();
        await replying;
        await untilRuns(ticket, [`${kind} failed`]);
        const conversation = await load(ticket);
        expect(conversation.filter(({ from }) => from === 'ai')).toEqual([]);
        expect(shown(conversation).slice(-2)).toEqual(['admin: A person.', 'ai_command_failed']);
        expect(await ticketOf(ticket)).toMatchObject({ status: 'awaiting_trader', unread: 0 });
      });

      test('precedes a teammate’s reply that commits just after it', async () => {
        const { ticket, release } = await setUp();
        await using blocked = await lockTicketRow(gateway, fixture.firm, ticket);
        release();
        await blocked.waitForWaiters(1);
        const replying = teammateReplies(ticket);
        await blocked.waitForWaiters(2);
        await blocked.release();
        await replying;
        await untilRuns(ticket, [`${kind} done`]);
        expect(shown(await load(ticket)).slice(-2)).toEqual([`ai: ${text}`, 'admin: A person.']);
        expect(await ticketOf(ticket)).toMatchObject({ status: 'awaiting_trader', unread: 0 });
      });
    },
  );
});

describe('with a worker in another process', () => {
  const children: ChildProcess[] = [];
  afterEach(() => children.splice(0).forEach((child) => void child.kill('SIGKILL')));

  test('starts a command while the worker of the answer hangs', async () => {
    behave({ kind: 'stall', words: ['Hel'] }, { kind: 'reply', words: [COMMANDED] });
    const child = spawn(
      process.execPath,
      [new URL('../../../../../apps/gateway/src/main.ts', import.meta.url).pathname, '--role', 'worker'],
      {
        env: {
          DATABASE_URL: gateway.databaseUrl,
          PORT: '0',
          DEMO: '0',
          ASSISTANT_BASE_URL: model.baseUrl,
          ASSISTANT_MODEL: 'stand-in',
        },
        stdio: 'ignore',
      },
    );
    children.push(child);
    const ticket = await fixture.createTicket({ status: 'open' });
    await traderWrites(ticket, 'Hello?');
    await vi.waitFor(async () => expect(await runsOf(ticket)).toEqual(['answer running']), {
      timeout: 30_000,
    });
    child.kill('SIGSTOP');
    const worker = await startWorkers(gateway.services);
    try {
      await fixture.askAssistant(ticket);
      // A hung worker keeps its job for at least 30 s.
      await vi.waitFor(async () => expect(await runsOf(ticket)).toEqual(['answer failed', 'command done']), {
        timeout: 30_000,
      });
      // When it continues, it closes its connection to the model and stores nothing.
      child.kill('SIGCONT');
      await vi.waitFor(() => expect(model.open()).toBe(0), WAIT);
      expect(shown(await load(ticket))).toEqual(['trader: Hello?', 'ai_command', `ai: ${COMMANDED}`]);
    } finally {
      await worker.stop();
    }
  });
});
