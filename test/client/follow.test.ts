import { asFirmdeskError, type ConnectionStatus, createRpcLinks, type RpcOptions } from '@firmdesk/client';
import { PLATFORM, type TicketStreamEvent } from '@firmdesk/contract';
import { type AppRouter, createModelAssistant, startWorkers, type Worker } from '@firmdesk/domain';
import {
  createStaff,
  createTicket,
  createToken,
  createWorkspace,
  type FakeOpenAiServer,
  openTcpProxy,
  startFakeOpenAiServer,
  type TcpProxy,
} from '@firmdesk/testing';
import {
  createTicketFixture,
  openTestGateway,
  type TestGateway,
  type TicketFixture,
} from '@firmdesk/testing/gateway';
import { createTRPCClient } from '@trpc/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';

/** The maximum wait, enough for a busy machine. */
const WAIT_MS = 60_000;
vi.setConfig({ testTimeout: 3 * WAIT_MS });

const WORDS = Array.from({ length: 60 }, (_, n) => `${n} 😀 `);

let model: FakeOpenAiServer;
let gateway: TestGateway;
let otherNode: Awaited<ReturnType<TestGateway['secondNode']>>;
let worker: Worker;
let proxy: TcpProxy;
let fixture: TicketFixture;
let ticket: string;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  model = await startFakeOpenAiServer();
  const assistant = createModelAssistant({ baseUrl: model.baseUrl, apiKey: null, model: 'stand-in' });
  gateway = await openTestGateway(inject('postgresUrl'), { assistant });
  otherNode = await gateway.secondNode();
  worker = await startWorkers(gateway.services);
});
afterAll(async () => {
  await worker.stop();
  await gateway[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});
beforeEach(async () => {
  proxy = await openTcpProxy(gateway.url);
  fixture = await createTicketFixture(gateway);
  ticket = await fixture.createTicket();
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0)) await close();
  await proxy[Symbol.asyncDispose]();
});

/** Follows a ticket through the proxy. */
function follow(over: Partial<RpcOptions> = {}, followed = ticket) {
  let sockets = 0;
  class CountedSocket extends WebSocket {
    constructor(url: string) {
      super(url);
      sockets++;
    }
  }
  const rpc = createRpcLinks<AppRouter>({
    url: proxy.url,
    token: fixture.token,
    WebSocket: CountedSocket,
    ...over,
  });
  closing.push(rpc.close);
  const { connection } = rpc;
  const statuses: ConnectionStatus[] = [];
  connection.subscribe(() => statuses.push(connection.state.status));
  const client = createTRPCClient<AppRouter>({ links: rpc.links });
  const events: TicketStreamEvent[] = [];
  const codes: string[] = [];
  let starts = 0;
  const { unsubscribe } = client.tickets.stream.subscribe(
    { ticket: followed },
    {
      onStarted: () => void starts++,
      onData: ({ data }) => events.push(data),
      onError: (error) => codes.push(asFirmdeskError(error).code),
    },
  );
  const isOpen = () => expect.poll(() => connection.state.status).toBe('open');
  return {
    client,
    connection,
    events,
    codes,
    statuses,
    unsubscribe,
    isOpen,
    starts: () => starts,
    sockets: () => sockets,
  };
}

/** Assembles the text of a reply. Fails if a piece is missing or duplicated. */
function textOf(events: TicketStreamEvent[]): string {
  let text = '';
  for (const event of events) {
    if (event.type !== 'text_delta') continue;
    expect(event.offset).toBe(text.length);
    text += event.text;
  }
  return text;
}

/** Follows the ticket and waits until a reply is in progress. */
async function followDuringReply(over: Partial<RpcOptions> = {}) {
  model.behave({ kind: 'reply', words: WORDS, pauseMs: 30 });
  const viewer = follow(over);
  await viewer.isOpen();
  await fixture.askAssistant(ticket);
  const hasText = () => viewer.events.some(({ type }) => type === 'text_delta');
  await expect.poll(hasText, { timeout: WAIT_MS }).toBe(true);
  return viewer;
}

describe('a viewer who is disconnected during a reply', () => {
  test('gets the rest after reconnecting, without loss or duplicates', async () => {
    const { events, statuses } = await followDuringReply();
    proxy.cut();
    proxy.restore();
    await expect.poll(() => textOf(events), { timeout: WAIT_MS }).toBe(WORDS.join('').trim());
    expect(statuses.slice(0, 5)).toEqual(['connecting', 'open', 'waiting', 'connecting', 'open']);
  });

  test('gets the rest from another node', async () => {
    const { events } = await followDuringReply();
    proxy.redirectTo(otherNode.url);
    proxy.cut();
    proxy.restore();
    await expect.poll(() => textOf(events), { timeout: WAIT_MS }).toBe(WORDS.join('').trim());
  });
});

test('a viewer who was disconnected before the first event gets resync', async () => {
  const viewer = follow();
  await expect.poll(viewer.starts).toBe(1);
  proxy.cut();
  const note = (body: string) =>
    gateway.rpc('tickets.addNote', { token: fixture.token, body: { ticket, body } });
  expect((await note('Meanwhile.')).code).toBe(null);
  proxy.restore();
  await expect.poll(viewer.starts, { timeout: WAIT_MS }).toBe(2);
  expect(viewer.events).toEqual([{ type: 'resync' }]);
  await note('And now.');
  await expect.poll(() => viewer.events[1]).toMatchObject({ message: { body: 'And now.' } });
});

describe('a connection', () => {
  test('is replaced when it falls silent', async () => {
    const { events, isOpen, statuses } = follow();
    await isOpen();
    proxy.mute();
    await expect.poll(() => statuses, { timeout: WAIT_MS }).toContain('waiting');
    await isOpen();
    await fixture.askAssistant(ticket);
    await expect.poll(() => events.length).toBeGreaterThan(0);
  });

  test('backs off after repeated losses, and reconnects immediately when the network is back', async () => {
    const network = new EventTarget();
    vi.stubGlobal('addEventListener', network.addEventListener.bind(network));
    vi.stubGlobal('removeEventListener', network.removeEventListener.bind(network));
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const { connection, isOpen } = follow();
    vi.unstubAllGlobals();
    await isOpen();
    const waits: number[] = [];
    connection.subscribe(() => {
      const { retryAt, since } = connection.state;
      if (retryAt !== null) waits.push(Math.round((retryAt - since) / 1000));
    });
    proxy.cut();
    await expect.poll(() => waits).toEqual([1, 2, 4]);
    const { retryAt } = connection.state;
    proxy.restore();
    network.dispatchEvent(new Event('online'));
    await expect.poll(() => connection.state.status).toBe('connecting');
    expect(connection.state.since).toBeLessThan(retryAt!);
    await isOpen();
  });

  test('is closed without subscriptions, and reopened immediately for the next', async () => {
    const { client, connection, isOpen, unsubscribe, statuses } = follow();
    await isOpen();
    unsubscribe();
    await expect.poll(() => connection.state.status).toBe('idle');
    client.tickets.stream.subscribe({ ticket }, { onData: () => {} });
    await isOpen();
    expect(statuses).toEqual(['connecting', 'open', 'idle', 'connecting', 'open']);
  });

  test('reconnects in its client’s workspace while another client of the session uses another one', async () => {
    const other = await createWorkspace(gateway.services);
    const there = await createTicket(gateway.services, { firm: other, trader: fixture.trader });
    const staff = await createStaff(gateway.services, 'all');
    const { text: token } = await createToken(gateway.services, { user: staff, workspace: PLATFORM });
    const here = follow({ token, workspace: fixture.firm.slug });
    const elsewhere = follow({ token, workspace: other.slug }, there);
    await Promise.all([here.isOpen(), elsewhere.isOpen()]);
    proxy.cut();
    proxy.restore();
    for (const { starts } of [here, elsewhere]) {
      await expect.poll(starts, { timeout: WAIT_MS }).toBeGreaterThan(1);
    }
    await fixture.askAssistant(ticket);
    const hasEvent = () => here.events.some(({ type }) => type === 'message.created');
    await expect.poll(hasEvent, { timeout: WAIT_MS }).toBe(true);
    expect([here.codes, elsewhere.codes]).toEqual([[], []]);
  });
});

describe('a session with a revoked token', () => {
  const revoke = (id: string) =>
    gateway.services.pool.query('update tokens set revoked_at = now() where id = $1', [id]);

  test('ends its subscriptions with an error and does not reconnect', async () => {
    const ends: string[] = [];
    const { client, connection, codes, isOpen, sockets } = follow({
      onSignedOut: ({ code }) => ends.push(code),
    });
    await isOpen();
    await revoke(fixture.tokenId);
    await expect.poll(() => connection.state.status).toBe('signed_out');
    expect([codes, ends]).toEqual([['signed_out'], ['signed_out']]);
    const failed = Promise.withResolvers<unknown>();
    client.tickets.stream.subscribe({ ticket }, { onError: failed.resolve });
    expect(asFirmdeskError(await failed.promise).code).toBe('signed_out');
    expect(sockets()).toBe(1);
  });

  test('continues with another token if there is one', async () => {
    const asked: string[] = [];
    const tokens = [fixture.token, await fixture.tokenWith(['admin:read'])];
    const token = (reason: string) => {
      asked.push(reason);
      return tokens.shift()!;
    };
    const viewer = await followDuringReply({ token });
    await revoke(fixture.tokenId);
    await expect.poll(() => textOf(viewer.events), { timeout: WAIT_MS }).toBe(WORDS.join('').trim());
    expect([asked, viewer.codes, viewer.sockets()]).toEqual([['first', 'refused'], [], 2]);
  });

  test('waits for another token while its source is unavailable', async () => {
    const asked: string[] = [];
    const token = async (reason: string) => {
      asked.push(reason);
      if (asked.length === 1) return fixture.token;
      if (asked.length === 2) throw new TypeError('fetch failed');
      return fixture.tokenWith(['admin:read']);
    };
    const { connection, codes, isOpen, sockets } = follow({ token });
    await isOpen();
    await revoke(fixture.tokenId);
    await expect.poll(sockets, { timeout: WAIT_MS }).toBe(2);
    await isOpen();
    expect([asked, codes, connection.state.status]).toEqual([['first', 'refused', 'refused'], [], 'open']);
  });

  test('ends if there is no other token', async () => {
    const token = (reason: string) => {
      if (reason === 'refused') throw new Error('sign in again');
      return fixture.token;
    };
    const { connection, codes, isOpen } = follow({ token });
    await isOpen();
    await revoke(fixture.tokenId);
    await expect.poll(() => connection.state.status).toBe('signed_out');
    expect(codes).toEqual(['signed_out']);
  });
});
