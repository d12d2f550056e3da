import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { PLATFORM, type TicketStreamEvent } from '@firmdesk/contract';
import { type AppRouter, startWorkers } from '@firmdesk/domain';
import { createStaff } from '@firmdesk/testing';
import {
  createTicketFixture,
  followTicket,
  openAssistantGateway,
  type TicketFixture,
  tokenOf,
  type Viewer,
} from '@firmdesk/testing/gateway';
import { createTRPCClient, createWSClient, wsLink } from '@trpc/client';
import superjson from 'superjson';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';

const WORDS = Array.from({ length: 60 }, (_, n) => `${n} 😀 `);
const WHOLE = WORDS.join('').trim();

const { model, gateway } = await openAssistantGateway();
const otherNode = await gateway.secondNode();
const worker = await startWorkers(gateway.services);
afterAll(() => worker.stop());
let fixture: TicketFixture;
let ticket: string;

beforeEach(async () => {
  fixture = await createTicketFixture(gateway);
  ticket = await fixture.createTicket();
  model.behave({ kind: 'reply', words: WORDS, pauseMs: 10 });
});

const watch = (over: Partial<Parameters<typeof followTicket>[0]> = {}) =>
  followTicket({ url: gateway.url, token: fixture.token, ticket, ...over });

/** Returns the reply's message as the last event has it. */
const replyOf = ({ events }: Pick<Viewer, 'events'>) =>
  events
    .map(({ data }) => data)
    .filter((event) => event.type === 'message.updated')
    .at(-1)?.message;

const waitForReply = (viewer: Viewer, timeout = 20_000) =>
  vi
    .waitFor(() => expect(viewer.types().at(-1)).toBe('ticket.updated'), { timeout })
    .then(async () => {
      await vi.waitFor(() => expect(replyOf(viewer)?.streaming).toBe(false), { timeout });
      await vi.waitFor(() => expect(viewer.types().at(-1)).toBe('ticket.updated'), { timeout });
    });

describe('a reply', () => {
  test('is streamed on two nodes: the note, the start, every delta once, the end', async () => {
    using here = await watch();
    using there = await watch({ url: otherNode.url });
    await fixture.askAssistant(ticket);
    await Promise.all([waitForReply(here), waitForReply(there)]);
    expect(there.events).toEqual(here.events);
    const reply = replyOf(here)!;
    expect(reply).toMatchObject({ from: 'ai', body: WHOLE, streaming: false, ticket_id: ticket });
    expect(here.textOf(reply.id)).toBe(WHOLE);
    const [note, moved, start] = here.events.map(({ data }) => data);
    expect(note).toMatchObject({ type: 'message.created', message: { event: 'ai_command', internal: true } });
    expect(moved).toMatchObject({
      type: 'ticket.updated',
      ticket: { id: ticket, status: 'awaiting_trader' },
    });
    expect(start).toMatchObject({ type: 'message.created', message: { id: reply.id, streaming: true } });
    const deltas = here.types().filter((type) => type === 'text_delta');
    expect(here.types()).toEqual([
      'message.created',
      'ticket.updated',
      'message.created',
      ...deltas,
      'message.updated',
      'ticket.updated',
    ]);
    const positions = here.events.map(({ id }) => Number.parseInt(id, 10));
    expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
  });

  test('is streamed in at most about twenty deltas per second', async () => {
    using viewer = await watch();
    const started = performance.now();
    await fixture.askAssistant(ticket);
    await waitForReply(viewer);
    const seconds = (performance.now() - started) / 1_000;
    const deltas = viewer.types().filter((type) => type === 'text_delta').length;
    expect(deltas).toBeGreaterThan(1);
    expect(deltas).toBeLessThanOrEqual(Math.ceil(seconds * 20) + 1);
  });

  test('delivers every event once and in order to viewers that reconnect to either node', async () => {
    using steady = await watch();
    const seen: Viewer['events'] = [];
    await fixture.askAssistant(ticket);
    let visits = 0;
    while (seen.at(-1)?.data.type !== 'ticket.updated' || seen.length < 4) {
      const last = seen.at(-1)?.id ?? '0';
      const visit = await watch({ url: visits++ % 2 ? otherNode.url : gateway.url, lastEventId: last });
      await sleep(Math.random() * 60);
      visit[Symbol.dispose]();
      seen.push(...visit.events);
    }
    await waitForReply(steady);
    expect(visits).toBeGreaterThan(2);
    expect(seen.filter(({ data }) => data.type !== 'resync')).toEqual(steady.events);
  });

  test('sends a viewer who joins during it the text so far and then the rest', async () => {
    using first = await watch();
    await fixture.askAssistant(ticket);
    await vi.waitFor(
      () => expect(first.types().filter((type) => type === 'text_delta').length).toBeGreaterThan(2),
      { timeout: 30_000 },
    );
    using late = await watch({ url: otherNode.url });
    await waitForReply(late);
    const [snapshot] = late.events.map(({ data }) => data);
    const reply = replyOf(late)!;
    expect(snapshot).toMatchObject({ type: 'snapshot', message_id: reply.id });
    expect((snapshot as { text: string }).text.length).toBeGreaterThan(0);
    expect(late.textOf(reply.id)).toBe(WHOLE);
  });

  test('sends a viewer only the new events of its ticket', async () => {
    using viewer = await watch();
    const other = await fixture.createTicket();
    await fixture.askAssistant(other);
    await fixture.askAssistant(ticket);
    await waitForReply(viewer);
    expect(viewer.events.every(({ data }) => ticketOf(data) === undefined || ticketOf(data) === ticket)).toBe(
      true,
    );
  });
});

describe('a viewer who was away for longer than the log’s retention', () => {
  test('gets resync and then new events', async () => {
    using before = await watch();
    await fixture.askAssistant(ticket);
    await waitForReply(before);
    const { id: last } = before.events[0]!;
    await gateway.services.pool.query(
      `with deleted as (delete from event_log where workspace_id = $1)
       update event_log_heads set pruned_through = position, pruned_tag = tag where workspace_id = $1`,
      [fixture.firm.id],
    );
    using after = await watch({ lastEventId: last });
    await vi.waitFor(() => expect(after.types()).toEqual(['resync']), { timeout: 30_000 });
    await fixture.askAssistant(ticket);
    await waitForReply(after);
    expect(after.textOf(replyOf(after)!.id)).toBe(WHOLE);
    using upToDate = await watch({ lastEventId: after.events.at(-1)!.id });
    using unknown = await watch({ lastEventId: '999999999999' });
    await vi.waitFor(() => expect(unknown.types()).toEqual(['resync']), { timeout: 30_000 });
    expect(upToDate.types()).toEqual([]);
  });
});

describe('access', () => {
  test('rejects a ticket of another firm like an unknown one', async () => {
    const other = await createTicketFixture(gateway);
    using foreign = await watch({ ticket: await other.createTicket() });
    using unknown = await watch({ ticket: `tkt_${'0'.repeat(26)}` });
    expect(foreign.errors).toEqual(['resource_not_found']);
    expect(unknown.errors).toEqual(['resource_not_found']);
  });

  test('requires scope and permission; staff name the firm', async () => {
    using scopeless = await watch({ token: await fixture.tokenWith(['admin:write']) });
    expect(scopeless.errors).toEqual(['insufficient_scope']);
    const blind = await createTicketFixture(gateway, ['manage_tickets']);
    using forbidden = await watch({ token: blind.token, ticket: await blind.createTicket() });
    expect(forbidden.errors).toEqual(['forbidden']);
    const user = await createStaff(gateway.services, 'all');
    const staff = await tokenOf(gateway, user, PLATFORM);
    using nameless = await watch({ token: staff });
    expect(nameless.errors).toEqual(['workspace_required']);
    using named = await watch({ token: staff, workspace: fixture.firm.slug });
    await fixture.askAssistant(ticket);
    await waitForReply(named);
  });

  test('rejects an invalid last event id', async () => {
    using viewer = await watch({ lastEventId: 'x' });
    expect(viewer.errors).toEqual(['validation_failed']);
  });

  test('ends the stream when the caller loses the permission', async () => {
    using viewer = await watch();
    await gateway.services.pool.query(`update memberships set permissions = '{}' where user_id = $1`, [
      fixture.agent.id,
    ]);
    await vi.waitFor(() => expect(viewer.errors).toEqual(['forbidden']), { timeout: 30_000 });
  });

  test('allows fifty subscriptions per socket, and another after one of them ends', async () => {
    const socket = await openSocket(gateway.url, fixture.token);
    for (let id = 1; id <= 51; id++) socket.subscribe(id, 'tickets.stream', { ticket });
    await vi.waitFor(() => expect(socket.frames).toHaveLength(51), { timeout: 30_000 });
    expect(socket.frames.filter(({ result }) => result?.type === 'started')).toHaveLength(50);
    expect(socket.frames.find(({ error }) => error)?.error.json.data.code).toBe('rate_limited');
    socket.send({ id: 1, method: 'subscription.stop' });
    await vi.waitFor(() => expect(socket.frames.at(-1)?.result?.type).toBe('stopped'), { timeout: 30_000 });
    socket.subscribe(52, 'tickets.stream', { ticket });
    await vi.waitFor(() => expect(socket.frames.at(-1)?.result?.type).toBe('started'), { timeout: 30_000 });
    // A rejected subscription does not count.
    socket.subscribe(53, 'tickets.stream', { ticket: `tkt_${'0'.repeat(26)}` });
    await vi.waitFor(() => expect(socket.frames.at(-1)?.error?.json.data.code).toBe('rate_limited'), {
      timeout: 30_000,
    });
    socket.ws.close();
  });

  test('ends the stream on every node when the token is revoked, and rejects the token then', async () => {
    using here = await watch();
    using there = await watch({ url: otherNode.url });
    await gateway.services.pool.query('update tokens set revoked_at = now() where id = $1', [
      fixture.tokenId,
    ]);
    const seen = [here.events.length, there.events.length];
    const other = await createTicketFixture(gateway);
    await vi.waitFor(
      async () => {
        const metrics = await Promise.all([gateway, otherNode].map((node) => node.request('GET /metrics')));
        for (const { text } of metrics) expect(text).toMatch(/^websocket_connections 0$/m);
      },
      { timeout: 30_000 },
    );
    await gateway.request(`POST /v1/admin/tickets/${ticket}/ai`, {
      token: other.token,
      body: { instruction: 'x' },
    });
    expect([here.events.length, there.events.length]).toEqual(seen);
  });
});

describe('the inbox', () => {
  test('streams every changed ticket of the firm only, and can be resumed', async () => {
    const other = await createTicketFixture(gateway);
    const client = createWSClient({
      url: `${gateway.url.replace(/^http/, 'ws')}/trpc`,
      connectionParams: { token: fixture.token },
    });
    const trpc = createTRPCClient<AppRouter>({ links: [wsLink({ client, transformer: superjson })] });
    const follow = async (lastEventId?: string) => {
      const events: { id: string; ticket: string | undefined }[] = [];
      const started = Promise.withResolvers<void>();
      const { unsubscribe } = trpc.tickets.live.subscribe(
        { lastEventId },
        {
          onStarted: () => started.resolve(),
          onData: ({ id, data }) =>
            events.push({ id, ticket: data.type === 'ticket.updated' ? data.ticket.id : undefined }),
        },
      );
      await started.promise;
      return { events, unsubscribe };
    };
    const inbox = await follow();
    const second = await fixture.createTicket();
    await other.askAssistant(await other.createTicket());
    await fixture.askAssistant(ticket);
    await fixture.askAssistant(second);
    // Each changes on the command and on the reply.
    await vi.waitFor(() => expect(inbox.events).toHaveLength(4), { timeout: 30_000 });
    expect(new Set(inbox.events.map((event) => event.ticket))).toEqual(new Set([ticket, second]));
    const resumed = await follow(inbox.events[0]!.id);
    await vi.waitFor(() => expect(resumed.events).toEqual(inbox.events.slice(1)), { timeout: 30_000 });
    await client.close();
  });
});

describe('a slow consumer', () => {
  test('is disconnected with bounded memory, does not affect others, and can resume', async () => {
    const socket = await openSocket(gateway.url, fixture.token);
    socket.subscribe(1, 'tickets.stream', { ticket });
    await vi.waitFor(() => expect(socket.frames.at(-1)?.result?.type).toBe('started'), { timeout: 30_000 });
    using reader = await watch();
    socket.ws.pause();
    const closed = new Promise((resolve) => socket.ws.once('close', resolve));
    // More than all socket buffers hold.
    const COUNT = 300;
    await gateway.services.pool.query(
      `insert into event_log (workspace_id, subject, type, body, created_at)
       select $1, $2, 'text_delta', jsonb_build_object('ticket_id', $2::text, 'message_id', 'tmsg_000000', 'offset', n * 50000,
         'text', repeat('x', 50000)), now() from generate_series(0, $3 - 1) as n`,
      [fixture.firm.id, ticket, COUNT],
    );
    await vi.waitFor(() => expect(reader.events).toHaveLength(COUNT), { timeout: 30_000 });
    await vi.waitFor(
      async () => {
        const { text } = await gateway.request('GET /metrics');
        expect(text).toMatch(/^websocket_connections 1$/m);
      },
      { timeout: 30_000 },
    );
    socket.ws.resume();
    await closed;
    const last = socket.frames.at(-1)!.result!.id;
    const got = socket.frames.length - 1;
    expect(got).toBeLessThan(COUNT);
    using again = await watch({ lastEventId: last! });
    await vi.waitFor(() => expect(got + again.events.length).toBe(COUNT), { timeout: 30_000 });
    expect(again.events.at(-1)!.id).toBe(reader.events.at(-1)!.id);
  });
});

interface Frame {
  id: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on the parsed body
  error?: any;
  result?: { type: string; id?: string };
}

/** A WebSocket that sends tRPC frames written by the test. */
async function openSocket(url: string, token: string) {
  const ws = new WebSocket(`${url.replace(/^http/, 'ws')}/trpc?connectionParams=1`);
  const frames: Frame[] = [];
  ws.on('error', () => {});
  ws.on('message', (data) => {
    const text = String(data);
    if (text.startsWith('{')) frames.push(JSON.parse(text));
  });
  await once(ws, 'open');
  const send = (message: object) => ws.send(JSON.stringify(message));
  send({ method: 'connectionParams', data: { token } });
  return {
    ws,
    frames,
    send,
    subscribe(id: number, path: string, input: object) {
      send({ id, method: 'subscription', params: { path, input: { json: input } } });
    },
  };
}

function ticketOf(event: TicketStreamEvent): string | undefined {
  if (event.type === 'ticket.updated') return event.ticket.id;
  if (event.type === 'text_delta') return event.ticket_id;
  if (event.type === 'message.created' || event.type === 'message.updated') return event.message.ticket_id;
  return undefined;
}
