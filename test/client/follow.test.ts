import {
  asFirmdeskError,
  type ConnectionStatus,
  createRpcLinks,
  type RpcConnection,
  type RpcOptions,
} from '@firmdesk/client';
import type { TicketStreamEvent } from '@firmdesk/contract';
import { type AppRouter, createModelAssistant, startWorkers, type Worker } from '@firmdesk/domain';
import { type OpenAiStandIn, openOpenAiStandIn, openTcpProxy, type TcpProxy } from '@firmdesk/domain/testing';
import { type Desk, openDesk, openTestGateway, type TestGateway } from '@firmdesk/gateway/testing';
import { createTRPCClient } from '@trpc/client';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';

const WORDS = Array.from({ length: 60 }, (_, n) => `${n} 😀 `);

let model: OpenAiStandIn;
let gateway: TestGateway;
let worker: Worker;
let proxy: TcpProxy;
let desk: Desk;
let ticket: string;

beforeAll(async () => {
  model = await openOpenAiStandIn();
  const assistant = createModelAssistant({ baseUrl: model.baseUrl, apiKey: null, model: 'stand-in' });
  gateway = await openTestGateway(inject('postgresUrl'), { assistant });
  worker = await startWorkers(gateway.services);
});
afterAll(async () => {
  await worker.stop();
  await gateway[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});
beforeEach(async () => {
  proxy = await openTcpProxy(gateway.url);
  desk = await openDesk(gateway);
  ticket = await desk.ticket();
});
afterEach(async () => {
  for (const { close } of opened.splice(0)) await close();
  await proxy[Symbol.asyncDispose]();
});

const opened: RpcConnection<AppRouter>[] = [];

/** One who follows the ticket by way of the proxy. */
function follow(over: Partial<RpcOptions> = {}) {
  const rpc = createRpcLinks<AppRouter>({ url: proxy.url, token: desk.token, ...over });
  opened.push(rpc);
  const statuses: ConnectionStatus[] = [];
  rpc.connection.subscribe(() => statuses.push(rpc.connection.state.status));
  const client = createTRPCClient<AppRouter>({ links: rpc.links });
  const events: TicketStreamEvent[] = [];
  const codes: string[] = [];
  const started = Promise.withResolvers<void>();
  const { unsubscribe } = client.tickets.stream.subscribe(
    { ticket },
    {
      onStarted: () => started.resolve(),
      onData: ({ data }) => events.push(data),
      onError(error) {
        codes.push(asFirmdeskError(error).code);
        started.resolve();
      },
    },
  );
  return { ...rpc, client, events, codes, statuses, started: started.promise, unsubscribe };
}

test('a reply whose viewer is cut off in the middle arrives whole, nothing lost and nothing doubled', async () => {
  model.behave({ kind: 'reply', words: WORDS, pauseMs: 30 });
  const { started, events, statuses } = follow();
  await started;
  await desk.ask(ticket);
  await expect.poll(() => events.filter(({ type }) => type === 'text_delta').length).toBeGreaterThan(2);
  proxy.cut();
  proxy.restore();
  await expect.poll(() => textOf(events)).toBe(WORDS.join(''));
  expect(statuses.slice(0, 5)).toEqual(['connecting', 'open', 'waiting', 'connecting', 'open']);
});

/** The reply's text, put together; throws where a piece is missing or doubled. */
function textOf(events: TicketStreamEvent[]): string {
  let text = '';
  for (const event of events) {
    if (event.type !== 'text_delta') continue;
    expect(event.offset).toBe(text.length);
    text += event.text;
  }
  return text;
}
