import { once } from 'node:events';
import {
  type Calls,
  createRpcClient,
  isFirmdeskError,
  type Subscription,
  type Tracked,
} from '@firmdesk/client';
import { ApiError } from '@firmdesk/domain';
import { accountProcedure, router } from '@firmdesk/domain/testing';
import {
  createTicketFixture,
  openTestGateway,
  type TestGateway,
  type TicketFixture,
} from '@firmdesk/testing/gateway';
import { tracked } from '@trpc/server';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { z } from 'zod';

const LAST = 5_000;
/** The number of open streams of `count`, and of the events that it has yielded. */
const counter = { open: 0, yielded: 0 };

/** Errors that the service throws, once each. */
const failures: ApiError[] = [];

const counting = router({
  countWithFailures: accountProcedure({
    tag: 'Test',
    summary: 'Count to 10, with the configured errors',
    scope: null,
    errors: ['ticket_ended'],
    input: z.object({ lastEventId: z.string().nullish() }),
    output: z.any(),
  }).subscription(async function* ({ input }) {
    for (let n = Number(input.lastEventId ?? 0) + 1; n <= 10; n++) {
      const failure = n % 3 === 0 && failures.shift();
      if (failure) throw failure;
      yield tracked(String(n), n);
    }
  }),

  count: accountProcedure({
    tag: 'Test',
    summary: 'Count from the last number that was seen',
    scope: null,
    input: z.object({ lastEventId: z.string().nullish() }),
    output: z.any(),
  }).subscription(async function* ({ input, signal }) {
    counter.open++;
    try {
      for (let n = Number(input.lastEventId ?? 0) + 1; n <= LAST && !signal!.aborted; n++) {
        counter.yielded++;
        yield tracked(String(n), n);
        if (n % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      }
      if (!signal!.aborted) await once(signal!, 'abort');
    } finally {
      counter.open--;
    }
  }),
});

interface CountingProcedures {
  count: Subscription<{ lastEventId?: string } | undefined, number>;
  countWithFailures: Subscription<undefined, number>;
}

let gateway: TestGateway;
let fixture: TicketFixture;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  gateway = await openTestGateway(inject('postgresUrl'), { router: counting });
  fixture = await createTicketFixture(gateway);
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(() => gateway[Symbol.asyncDispose]());

function open(token = fixture.token) {
  const client = createRpcClient({ url: gateway.url, token });
  closing.push(client.close);
  return client as unknown as Calls<CountingProcedures> & typeof client;
}

const next = async (stream: AsyncGenerator<Tracked<number>, void>) => {
  const { value } = await stream.next();
  return value?.data;
};

test('a slow reader buffers a bounded number of events, and gets each once and in order', async () => {
  const stream = open().count();
  expect(await next(stream)).toBe(1);
  await expect.poll(() => counter.open).toBe(0);
  expect(counter.yielded).toBeLessThan(LAST);
  const seen = [1];
  for await (const { data } of stream) {
    seen.push(data);
    if (data === LAST) break;
  }
  expect(seen).toEqual(Array.from({ length: LAST }, (_, n) => n + 1));
});

test('a stream resumes after the caller’s last event', async () => {
  const stream = open().count({ lastEventId: '41' });
  expect(await next(stream)).toBe(42);
  await stream.return();
  await expect.poll(() => counter.open).toBe(0);
});

test('an aborted stream ends for the caller and in the service', async () => {
  const stop = new AbortController();
  const stream = open().count(undefined, { signal: stop.signal });
  await next(stream);
  stop.abort();
  expect(await stream.next()).toEqual({ done: true, value: undefined });
  await expect.poll(() => counter.open).toBe(0);
});

test('a stream resumes after its last event when the service was temporarily unavailable', async () => {
  failures.push(new ApiError('unavailable'), new ApiError('unavailable'));
  const seen: number[] = [];
  for await (const { data } of open().countWithFailures()) seen.push(data);
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('a stream that ends with an error yields the earlier events, then throws', async () => {
  failures.push(new ApiError('ticket_ended'));
  const seen: number[] = [];
  const read = async () => {
    for await (const { data } of open().countWithFailures()) seen.push(data);
  };
  const error = await read().catch((thrown: unknown) => thrown);
  expect([seen, isFirmdeskError(error, 'ticket_ended')]).toEqual([[1, 2], true]);
});

test('closing the client ends its streams', async () => {
  const client = open();
  const stream = client.count({ lastEventId: String(LAST - 1) });
  expect(await next(stream)).toBe(LAST);
  await client.close();
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});

test('a refused stream throws the service’s error', async () => {
  const real = await openTestGateway(inject('postgresUrl'));
  closing.push(async () => real[Symbol.asyncDispose]());
  const { token } = await createTicketFixture(real);
  const client = createRpcClient({ url: real.url, token });
  closing.unshift(client.close);
  const error = await client.tickets
    .stream({ ticket: `tkt_${'0'.repeat(26)}` })
    .next()
    .catch((thrown: unknown) => thrown);
  expect(isFirmdeskError(error, 'resource_not_found')).toBe(true);
});
