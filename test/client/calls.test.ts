import { createRestClient, createRpcClient, FirmdeskError, type RpcOptions } from '@firmdesk/client';
import { PLATFORM, scopes } from '@firmdesk/contract';
import { createStaff, createToken, createWorkspace } from '@firmdesk/testing';
import {
  createTicketFixture,
  openTestGateway,
  type TestGateway,
  type TicketFixture,
} from '@firmdesk/testing/gateway';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { openScriptedServer, type Scripted, type ScriptedServer } from './scripted-server.ts';

let gateway: TestGateway;
let fixture: TicketFixture;
let ticket: string;
let server: ScriptedServer;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  gateway = await openTestGateway(inject('postgresUrl'));
  fixture = await createTicketFixture(gateway);
  server = await openScriptedServer();
});
beforeEach(async () => {
  ticket = await fixture.createTicket();
  server.received.length = 0;
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
});

/** Creates both clients of one session; `sent` holds the requests that they sent. */
function session(over: Partial<RpcOptions> = {}) {
  const sent: Request[] = [];
  const options: RpcOptions = {
    url: gateway.url,
    token: fixture.token,
    fetch(input, init) {
      sent.push(new Request(input, init));
      return fetch(input, init);
    },
    ...over,
  };
  const rpc = createRpcClient(options);
  closing.push(rpc.close);
  return { rpc, rest: createRestClient(options), sent };
}

/** Returns a `fetch` that loses the first response. */
function losingFetch(): typeof fetch {
  let isLost = false;
  return async (input, init) => {
    const response = await fetch(input, init);
    if (isLost) return response;
    isLost = true;
    await response.arrayBuffer();
    throw new TypeError('the connection was lost');
  };
}

async function failing(call: Promise<unknown>): Promise<FirmdeskError> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(FirmdeskError);
  return error as FirmdeskError;
}

describe('after a lost response', () => {
  test('retries a mutation with the same key, so that it has its effect once', async () => {
    const { rpc } = session({ fetch: losingFetch() });
    const message = await rpc.tickets.reply.mutate({ ticket, body: 'We are looking into it.' });
    expect((await fixture.messagesOf(ticket)).map(({ id }) => id)).toEqual([message.id]);
  });

  test('retries a POST with the same key, so that it has its effect once', async () => {
    const { rest } = session({ fetch: losingFetch() });
    const { data } = await rest.POST('/v1/admin/tickets/{ticket}/ai', {
      params: { path: { ticket } },
      body: { instruction: 'Say hello.' },
    });
    const commands = (await fixture.messagesOf(ticket)).filter(({ event }) => event === 'ai_command');
    expect(commands.map(({ id }) => id)).toEqual([data.id]);
  });

  test('retries in the workspace of the client, independently of other clients of the session', async () => {
    const other = await createWorkspace(gateway.services);
    const staff = await createStaff(gateway.services, 'all');
    const { text: token } = await createToken(gateway.services, { user: staff, workspace: PLATFORM });
    const losing = losingFetch();
    const named: (string | null)[] = [];
    const elsewhere = session({ token, workspace: other.slug });
    const { rpc, rest } = session({
      token,
      workspace: fixture.firm.slug,
      async fetch(input, init) {
        named.push(new Request(input, init).headers.get('service-workspace'));
        // Between the attempts, the other client is used.
        if (named.length === 2)
          expect((await elsewhere.rpc.account.get.query()).workspace.slug).toBe(other.slug);
        return losing(input, init);
      },
    });
    const message = await rpc.tickets.reply.mutate({ ticket, body: 'In its firm.' });
    expect((await fixture.messagesOf(ticket)).map(({ id }) => id)).toEqual([message.id]);
    await rest.GET('/v1/admin/tickets');
    expect(named).toEqual([fixture.firm.slug, fixture.firm.slug, fixture.firm.slug]);
  });

  test('does not retry a mutation without a key', async () => {
    const { text: token } = await createToken(gateway.services, {
      user: fixture.agent,
      workspace: fixture.firm.slug,
    });
    const { rpc } = session({ token, fetch: losingFetch() });
    expect((await failing(rpc.sessions.signOut.mutate())).code).toBe('network');
  });
});

test('replays the first response for a repeated key of the caller', async () => {
  const { rpc } = session();
  const idempotencyKey = crypto.randomUUID();
  const input = { ticket, body: 'Once.' };
  const first = await rpc.tickets.addNote.mutate(input, { idempotencyKey });
  expect(await rpc.tickets.addNote.mutate(input, { idempotencyKey })).toEqual(first);
});

test('sends an object that is in an input twice', async () => {
  const { rpc } = session();
  const none: string[] = [];
  const note = await rpc.tickets.addNote.mutate({
    ticket,
    body: 'Called.',
    mentions: none,
    attachments: none,
  });
  expect(note.body).toBe('Called.');
});

test('batches at most 20 concurrent queries in a request', async () => {
  const { rpc, sent } = session();
  await Promise.all(Array.from({ length: 21 }, () => rpc.ping.query()));
  expect(sent.map(({ method }) => method)).toEqual(['GET', 'GET']);
});

describe('an error of the service', () => {
  test('has the same code, status, fields and request id in both clients', async () => {
    const { rpc, rest } = session();
    const instruction = 'x'.repeat(2001);
    const errors = [
      await failing(rpc.tickets.askAssistant.mutate({ ticket, instruction })),
      await failing(
        rest.POST('/v1/admin/tickets/{ticket}/ai', { params: { path: { ticket } }, body: { instruction } }),
      ),
    ];
    for (const { code, status, fields, requestId, message } of errors) {
      expect({ code, status, fields }).toEqual({
        code: 'validation_failed',
        status: 422,
        fields: [{ path: 'instruction', message: expect.any(String) }],
      });
      expect(requestId).toMatch(/^req_/);
      expect(message).not.toBe('');
    }
  });

  test.each(['rpc', 'rest'] as const)(
    'is retried after Retry-After if it is transient, over %s',
    async (kind) => {
      server.script(
        { code: 'rate_limited', status: 429, retryAfter: 0 },
        { code: 'unavailable', status: 503, retryAfter: 0 },
        { code: 'idempotency_key_in_use', status: 409, retryAfter: 0 },
      );
      const { rpc, rest } = session({ url: server.url });
      if (kind === 'rpc') await rpc.tickets.addNote.mutate({ ticket, body: 'Again.' });
      else await rest.POST('/v1/me/notifications/read', { body: { all: true } });
      expect(server.received.length).toBe(4);
      expect(new Set(server.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    },
  );

  test('in part of a batch is retried, and every call of the batch is answered', async () => {
    server.script({ code: 'rate_limited', status: 429, retryAfter: 0 });
    const { rpc } = session({ url: server.url });
    const answers = await Promise.all([rpc.ping.query(), rpc.ping.query(), rpc.ping.query()]);
    expect([answers.map(({ ok }) => ok), server.received.length]).toEqual([[true, true, true], 2]);
  });

  test('is thrown immediately if Retry-After exceeds the maximum duration of a call', async () => {
    server.script({ code: 'rate_limited', status: 429, retryAfter: 3_600 });
    const { rpc } = session({ url: server.url });
    const { code, retryAfterSeconds } = await failing(rpc.ping.query());
    expect([code, retryAfterSeconds, server.received.length]).toEqual(['rate_limited', 3_600, 1]);
  });

  test('is thrown after five attempts', async () => {
    server.script(...Array<Scripted>(5).fill({ code: 'unavailable', status: 503, retryAfter: 0 }));
    const { rest } = session({ url: server.url });
    expect((await failing(rest.GET('/v1/ping'))).code).toBe('unavailable');
    expect(server.received.length).toBe(5);
  });
});

describe('without a response of the service', () => {
  test('throws `unexpected` with the status of a foreign response', async () => {
    const { rpc, rest } = session({ url: server.url });
    for (const page of ['<h1>Not here</h1>', '{"error":"not here"}', '{"error":{"json":null}}', 'null']) {
      for (const call of [() => rpc.ping.query(), () => rest.GET('/v1/ping')]) {
        server.script({ page, status: 404 });
        const { code, status } = await failing(call());
        expect([page, code, status]).toEqual([page, 'unexpected', 404]);
      }
    }
  });

  test('retries after the timeout of an attempt', async () => {
    server.script('silence', 'answer');
    const { rest } = session({ url: server.url, timeoutMs: 200 });
    expect((await rest.GET('/v1/ping')).data.ok).toBe(true);
    expect(server.received.length).toBe(2);
  });

  test('ends with `aborted` when the caller aborts', async () => {
    const { rpc, rest } = session({ url: server.url });
    for (const call of [
      (signal: AbortSignal) => rpc.tickets.addNote.mutate({ ticket, body: 'No.' }, { signal }),
      (signal: AbortSignal) => rest.GET('/v1/ping', { signal }),
    ]) {
      server.received.length = 0;
      server.script('silence');
      const stop = new AbortController();
      const failed = failing(call(stop.signal));
      await expect.poll(() => server.received.length).toBe(1);
      stop.abort();
      expect((await failed).code).toBe('aborted');
      expect(server.received.length).toBe(1);
    }
  });
});

describe('a revoked token', () => {
  const revoked = async () =>
    (
      await createToken(gateway.services, {
        user: fixture.agent,
        workspace: fixture.firm.slug,
        revokedAt: new Date(0),
      })
    ).text;

  test('is renewed once for all concurrent calls, which then succeed', async () => {
    const dead = await revoked();
    const asked: string[] = [];
    const { rpc, rest } = session({
      token(reason) {
        asked.push(reason);
        return reason === 'first' ? dead : fixture.token;
      },
    });
    await Promise.all([
      rpc.tickets.addNote.mutate({ ticket, body: 'One.' }),
      rpc.tickets.addNote.mutate({ ticket, body: 'Two.' }),
    ]);
    expect(asked).toEqual(['first', 'refused']);
    expect((await rest.GET('/v1/ping')).data.ok).toBe(true);
  });

  test('ends the session if there is no other token', async () => {
    const dead = await revoked();
    const ends: string[] = [];
    const onSignedOut = ({ code }: FirmdeskError) => void ends.push(code);
    const fixed = session({ token: dead, onSignedOut });
    expect((await failing(fixed.rpc.ping.query())).code).toBe('revoked_token');
    expect((await failing(fixed.rest.GET('/v1/ping'))).code).toBe('revoked_token');
    const same = session({ token: () => dead, onSignedOut });
    expect((await failing(same.rpc.ping.query())).code).toBe('signed_out');
    expect(ends).toEqual(['revoked_token', 'revoked_token', 'signed_out']);
  });

  test('is not reported for a wrong password', async () => {
    const ends: FirmdeskError[] = [];
    const { rpc } = session({ onSignedOut: (error) => void ends.push(error) });
    const { code } = await failing(
      rpc.sessions.signIn.mutate({ email: fixture.agent.email, password: 'not the password' }),
    );
    expect([code, ends]).toEqual(['invalid_credentials', []]);
  });
});

test('fetches the pages of a list one by one', async () => {
  const paged = await createTicketFixture(gateway);
  const created = [];
  for (let n = 0; n < 5; n++) created.push(await paged.createTicket());
  const { rest, sent } = session({ token: await paged.tokenWith([...scopes]) });
  const found: string[] = [];
  const sizes: number[] = [];
  for await (const { data } of rest.pages('/v1/admin/tickets', { params: { query: { limit: 2 } } })) {
    expect(sent.length).toBe(sizes.length + 1);
    sizes.push(data.length);
    found.push(...data.map(({ id }) => id));
  }
  expect(sizes).toEqual([2, 2, 1]);
  expect(found.toSorted()).toEqual(created.toSorted());
  const rows = { rest: [] as string[], rpc: [] as string[] };
  const { rest: client, rpc } = session({ token: await paged.tokenWith([...scopes]) });
  for await (const { id } of client.rows('/v1/admin/tickets', { params: { query: { limit: 2 } } }))
    rows.rest.push(id);
  for await (const { id } of rpc.tickets.list.rows({ limit: 2 })) rows.rpc.push(id);
  expect(rows).toEqual({ rest: found, rpc: found });
  const pages: number[] = [];
  for await (const { data } of rpc.tickets.list.pages({ limit: 3 })) pages.push(data.length);
  expect(pages).toEqual([3, 2]);
});
