import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FakeOpenAiServer, startFakeOpenAiServer } from '@firmdesk/testing';
import {
  createTicketFixture,
  followTicket,
  openTestGateway,
  type TestGateway,
  type TicketFixture,
  type Viewer,
} from '@firmdesk/testing/gateway';
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import { createModelAssistant, startWorkers } from '../../index.ts';

const WORDS = Array.from({ length: 80 }, (_, n) => `${n} `);
const WHOLE = WORDS.join('').trim();
const TIMES = { leaseMs: 1_000, renewMs: 200 };

let model: FakeOpenAiServer;
let gateway: TestGateway;
let fixture: TicketFixture;
const children: ChildProcess[] = [];

beforeAll(async () => {
  model = await startFakeOpenAiServer();
  model.behave({ kind: 'reply', words: WORDS, pauseMs: 20 });
  const assistant = createModelAssistant({ baseUrl: model.baseUrl, apiKey: null, model: 'stand-in' });
  gateway = await openTestGateway(inject('postgresUrl'), { assistant });
  fixture = await createTicketFixture(gateway);
});
afterEach(() => children.splice(0).forEach((child) => void child.kill('SIGKILL')));
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

/** Starts a process as in production. Resolves with its URL when it is ready. */
async function start(role: 'gateway' | 'worker'): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(
    process.execPath,
    [new URL('../../../../../apps/gateway/src/main.ts', import.meta.url).pathname, '--role', role],
    {
      env: {
        DATABASE_URL: gateway.databaseUrl,
        PORT: '0',
        DEMO: '0',
        LOG_LEVEL: 'info',
        ASSISTANT_BASE_URL: model.baseUrl,
        ASSISTANT_MODEL: 'stand-in',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  children.push(child);
  let out = '';
  child.stdout!.on('data', (chunk) => (out += chunk));
  await vi.waitFor(() => expect(out).toMatch(/http:\/\/127\.0\.0\.1:\d+/), { timeout: 30_000 });
  return { child, url: /http:\/\/127\.0\.0\.1:\d+/.exec(out)![0] };
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

const deltasOf = (viewer: Viewer) => viewer.types().filter((type) => type === 'text_delta').length;
const finalOf = (viewer: Viewer) =>
  viewer.events.flatMap(({ data }) => (data.type === 'message.updated' ? [data.message] : [])).at(-1);

test('restarts the reply of a killed worker on another, resets it for viewers, and stores one reply', async () => {
  const ticket = await fixture.createTicket();
  const { child } = await start('worker');
  using viewer = await followTicket({ url: gateway.url, token: fixture.token, ticket });
  await fixture.askAssistant(ticket);
  await vi.waitFor(() => expect(deltasOf(viewer)).toBeGreaterThan(3), { timeout: 30_000 });
  await kill(child);
  expect(finalOf(viewer)).toBeUndefined();

  const worker = await startWorkers(gateway.services, TIMES);
  try {
    await vi.waitFor(() => expect(finalOf(viewer)).toMatchObject({ body: WHOLE, streaming: false }), {
      timeout: 40_000,
    });
  } finally {
    await worker.stop();
  }
  expect(viewer.types().filter((type) => type === 'text_reset')).toHaveLength(1);
  expect(viewer.textOf(finalOf(viewer)!.id)).toBe(WHOLE);
  const replies = (await fixture.messagesOf(ticket)).filter(({ from_kind }) => from_kind === 'ai');
  expect(replies).toMatchObject([{ body: WHOLE, streaming: false }]);
}, 90_000);

test('resumes the stream of a killed gateway on another without a gap', async () => {
  const ticket = await fixture.createTicket();
  const worker = await startWorkers(gateway.services, TIMES);
  try {
    const { child, url } = await start('gateway');
    using steady = await followTicket({ url: gateway.url, token: fixture.token, ticket });
    using cut = await followTicket({ url, token: fixture.token, ticket });
    await fixture.askAssistant(ticket);
    await vi.waitFor(() => expect(deltasOf(cut)).toBeGreaterThan(3), { timeout: 30_000 });
    await kill(child);
    const lastEventId = cut.events.at(-1)!.id;
    using resumed = await followTicket({ url: gateway.url, token: fixture.token, ticket, lastEventId });
    await vi.waitFor(() => expect(resumed.types().at(-1)).toBe('ticket.updated'), { timeout: 30_000 });
    await vi.waitFor(() => expect(steady.events).toHaveLength(cut.events.length + resumed.events.length), {
      timeout: 30_000,
    });
    expect([...cut.events, ...resumed.events]).toEqual(steady.events);
    expect(finalOf(resumed)).toMatchObject({ body: WHOLE, streaming: false });
  } finally {
    await worker.stop();
  }
}, 90_000);

test('moves the reply of a frozen worker to another, and ignores the frozen worker when it resumes', async () => {
  const ticket = await fixture.createTicket();
  const { child } = await start('worker');
  using viewer = await followTicket({ url: gateway.url, token: fixture.token, ticket });
  await fixture.askAssistant(ticket);
  await vi.waitFor(() => expect(deltasOf(viewer)).toBeGreaterThan(3), { timeout: 30_000 });
  child.kill('SIGSTOP');
  const worker = await startWorkers(gateway.services, TIMES);
  try {
    await vi.waitFor(() => expect(viewer.types()).toContain('text_reset'), { timeout: 30_000 });
    child.kill('SIGCONT');
    await vi.waitFor(() => expect(finalOf(viewer)).toMatchObject({ body: WHOLE, streaming: false }), {
      timeout: 40_000,
    });
  } finally {
    await worker.stop();
  }
  expect(viewer.textOf(finalOf(viewer)!.id)).toBe(WHOLE);
  const replies = (await fixture.messagesOf(ticket)).filter(({ from_kind }) => from_kind === 'ai');
  expect(replies).toHaveLength(1);
}, 90_000);

test('delivers a complete reply once if the database closes its connections during it', async () => {
  const ticket = await fixture.createTicket();
  const worker = await startWorkers(gateway.services, TIMES);
  try {
    using viewer = await followTicket({ url: gateway.url, token: fixture.token, ticket });
    await fixture.askAssistant(ticket);
    await vi.waitFor(() => expect(deltasOf(viewer)).toBeGreaterThan(3), { timeout: 30_000 });
    for (let n = 0; n < 5; n++) {
      await gateway.services.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
    }
    await vi.waitFor(() => expect(finalOf(viewer)).toMatchObject({ body: WHOLE, streaming: false }), {
      timeout: 40_000,
    });
    expect(viewer.textOf(finalOf(viewer)!.id)).toBe(WHOLE);
  } finally {
    await worker.stop();
  }
  const replies = (await fixture.messagesOf(ticket)).filter(({ from_kind }) => from_kind === 'ai');
  expect(replies).toHaveLength(1);
}, 90_000);
