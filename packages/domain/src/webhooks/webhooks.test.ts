import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { permissions, scopes, type Ticket, WebhookEvent, webhookEventTypes } from '@firmdesk/contract';
import {
  createMailbox,
  createMailMessage,
  createSandbox,
  createToken,
  createUser,
  type TestUser,
  unique,
} from '@firmdesk/testing';
import { createUserWithToken, type Firm, notificationsOf, suiteGateway } from '@firmdesk/testing/gateway';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { claimPreRegistration, expirePreRegistrations } from '../affiliates/end-pre-registration.ts';
import { preRegister } from '../affiliates/pre-register.ts';
import { eraseAccount } from '../app/accounts/erase-account.ts';
import { startWorkers } from '../app/jobs.ts';
import { reportFailed } from '../mail/sending/end-attempt.ts';
import { withTransaction } from '../platform/database/transaction.ts';
import { DAY_MS } from '../platform/process/clock.ts';
import { dispatchEvents } from './dispatch-events.ts';
import { sendDeliveries } from './send-deliveries.ts';

const gateway = await suiteGateway({ allowsLoopbackWebhooks: true });
const { services, clock } = gateway;
services.webhooks.attemptMs = 1_000;

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  event: WebhookEvent;
}
let received: Received[];
let answer: (response: ServerResponse, event: WebhookEvent) => unknown;
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const event = JSON.parse(body) as WebhookEvent;
  received.push({ headers: request.headers, body, event });
  answer(response, event);
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const HOOKS = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;

let firm: Firm;
let user: TestUser;
let token: string;
let trader: TestUser;
beforeEach(async () => {
  received = [];
  answer = (response) => response.writeHead(204).end();
  ({ firm, user } = await createUserWithToken(gateway, { permissions: [...permissions] }));
  token = (await createToken(services, { user, workspace: firm.slug, kind: 'device', scopes: [...scopes] }))
    .text;
  trader = await createUser(services, { firm, role: 'trader' });
});
const opened: { close(): unknown }[] = [receiver];
afterEach(() => receiver.closeAllConnections());
afterEach(() => {
  for (const server of opened.splice(1)) server.close();
});

const rpc = (procedure: string, body: object = {}, as = token) => gateway.rpc(procedure, { token: as, body });
const call = async (procedure: string, body: object = {}, as = token) => {
  const result = await rpc(procedure, body, as);
  expect(result.code, result.text).toBeNull();
  return result.data;
};
const addEndpoint = (over: object = {}, as = token) =>
  call('firm.webhooks.create', { url: HOOKS, events: [...webhookEventTypes], ...over }, as);
const openTicket = async (subject = 'Payout', as = token): Promise<string> =>
  (
    await call(
      'tickets.platform.open',
      { from: trader.email, subject, body: 'Where is it?', ai_enabled: false },
      as,
    )
  ).ticket.id;
const rename = (ticket: string, priority: string) => call('tickets.setPriority', { ticket, priority });
/** Returns whether a webhook is signed with a secret, as Standard Webhooks says. */
function isSigned({ headers, body }: Received, secret: string): boolean {
  const hmac = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'));
  hmac.update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
  return String(headers['webhook-signature'])
    .split(' ')
    .includes(`v1,${hmac.digest('base64')}`);
}
/** Runs the jobs of the firm until nothing is due. */
async function deliver(endpoint: string, workspace = firm.id, signal?: AbortSignal): Promise<void> {
  await dispatchEvents(services, { workspace });
  await sendDeliveries(services, { workspace, endpoint }, signal);
}
const typesOf = (ticket?: string) =>
  received
    .filter(
      ({ event }) =>
        ticket === undefined ||
        [event.data.id, (event.data as { ticket_id?: string }).ticket_id].includes(ticket),
    )
    .map(({ event }) => event.type);
const deliveries = async (input: object = {}) => (await call('firm.webhooks.deliveries', input)).data;
const rowsOf = async (query: string, values: unknown[] = []) =>
  (await services.pool.query(query, values)).rows;
/** Lets the clock pass pauses. */
const wait = (ms: number) => clock.advance(ms);

describe('events', () => {
  test('are stored only for a firm with an endpoint that is switched on', async () => {
    const count = async () =>
      (await rowsOf('select count(*)::int as n from webhook_events where workspace_id = $1', [firm.id]))[0].n;
    const { id } = await addEndpoint();
    await call('firm.webhooks.update', { id, enabled: false });
    await openTicket();
    expect(await count()).toBe(0);
    await call('firm.webhooks.update', { id, enabled: true });
    await openTicket();
    expect(await count()).toBe(3);
  });

  test('arrive signed, in the order of the ticket, with the objects of /v1', async () => {
    const { id, secret } = await addEndpoint();
    const ticket = await openTicket();
    await call('tickets.addNote', { ticket, body: 'A note' });
    await call('tickets.reply', { ticket, body: 'On Monday.' });
    await call('tickets.setStatus', { ticket, status: 'resolved' });
    await deliver(id);
    expect(typesOf(ticket)).toEqual([
      'ticket.created',
      'message.created',
      'ticket.updated',
      'message.created',
      'message.created',
      'ticket.updated',
      'ticket.resolved',
    ]);
    for (const one of received) {
      const { headers, event } = one;
      expect(isSigned(one, secret)).toBe(true);
      expect(headers['webhook-id']).toBe(event.id);
      expect(WebhookEvent.parse(event)).toEqual(event);
      expect(event).toMatchObject({ workspace: firm.slug, environment: 'live' });
    }
    const list = await gateway.request('GET /v1/admin/tickets', { token });
    expect(received.at(-1)!.event.data).toEqual(list.body.data[0]);
  });

  test('tell of pre-registrations, from their reservation to their end', async () => {
    const { id } = await addEndpoint({ events: webhookEventTypes.filter((type) => type.startsWith('pre_')) });
    const reserve = (lifeMs: number) =>
      withTransaction(services, (ctx) =>
        preRegister(
          { ...ctx, workspace: firm },
          {
            email: 'kim@example.com',
            referral_code: unique('KIM'),
            referral_url: 'https://firm.example/r',
            source: 'api',
            metadata: {},
            expires_at: new Date(clock.now().getTime() + lifeMs).toISOString(),
          },
        ),
      );
    const claimed = await reserve(DAY_MS);
    await withTransaction(services, (ctx) => claimPreRegistration({ ...ctx, workspace: firm }, claimed));
    await reserve(1_000);
    wait(1_000);
    await expirePreRegistrations(services);
    await deliver(id);
    expect(typesOf().toSorted()).toEqual(
      ['created', 'claimed', 'created', 'expired'].map((what) => `pre_registration.${what}`).toSorted(),
    );
    expect(received.find(({ event }) => event.type === 'pre_registration.expired')!.event.data).toMatchObject(
      {
        object: 'affiliate_pre_registration',
        status: 'expired',
      },
    );
  });

  test('tell of mail that a recipient does not get', async () => {
    const { id } = await addEndpoint();
    const mailbox = await createMailbox(services, { firm, writes: [user] });
    const message = await createMailMessage(services, { mailbox, folder: 'sent' });
    await rowsOf(
      'insert into outgoing_messages (workspace_id, id, message_id, author_id, send_at) values ($1, $2, $2, $3, now())',
      [firm.id, message.id, user.id],
    );
    await rowsOf(
      `insert into outgoing_recipients (workspace_id, message_id, position, email, state, detail)
       values ($1, $2, 0, 'Kim@example.com', 'failed', '550 no such user')`,
      [firm.id, message.id],
    );
    const sent = { author_id: user.id, subject: 'Payout', mailbox_id: mailbox.id, kind: null, user_id: null };
    for (let repeat = 0; repeat < 2; repeat++)
      await withTransaction(services, (ctx) => reportFailed(ctx, firm.id, message.id, sent));
    await deliver(id);
    expect(received.map(({ event }) => event)).toMatchObject([
      {
        type: 'mail.bounced',
        data: {
          id: message.id,
          address_id: mailbox.id,
          email: 'Kim@example.com',
          reason: '550 no such user',
        },
      },
    ]);
    expect(WebhookEvent.parse(received[0]!.event)).toEqual(received[0]!.event);
  });

  test('are sent by the workers', async () => {
    await addEndpoint();
    const worker = await startWorkers(services);
    try {
      const ticket = await openTicket();
      await vi.waitFor(
        () => expect(typesOf(ticket)).toEqual(['ticket.created', 'message.created', 'ticket.updated']),
        { timeout: 30_000 },
      );
    } finally {
      await worker.stop();
    }
  });

  test('of test data go to the endpoints of the test data alone', async () => {
    const sandbox = await createSandbox(services, firm);
    const input = { user, workspace: firm.slug, scopes: [...scopes], environment: 'test' as const };
    const { text: testToken } = await createToken(services, input);
    await addEndpoint();
    const { id } = await addEndpoint({}, testToken);
    await openTicket('Live');
    await openTicket('Test', testToken);
    await deliver(id, sandbox.id);
    expect(received.map(({ event }) => event.environment)).toEqual(['test', 'test', 'test']);
    const [last] = (await call('firm.webhooks.deliveries', {}, testToken)).data;
    const { body } = await call('firm.webhooks.delivery', { id: last.id }, testToken);
    expect(received.at(-1)!.body).toBe(body);
  });

  test('about an erased account are deleted', async () => {
    await addEndpoint();
    await openTicket();
    const actor = { kind: 'operator', id: 'ines' } as const;
    expect(await eraseAccount(services, trader.email, { actor })).toMatchObject({ webhook_events: 3 });
  });

  test('with the name of an erased agent are deleted, and no others', async () => {
    await addEndpoint();
    const name = unique('Agent');
    const agent = await createUser(services, { firm, name, permissions: [...permissions] });
    const { text } = await createToken(services, {
      user: agent,
      workspace: firm.slug,
      kind: 'device',
      scopes: [...scopes],
    });
    const ticket = await openTicket();
    await call('tickets.reply', { ticket, body: 'Here.' }, text);
    await call('tickets.assign', { ticket, assignee: agent.id });
    const named = () =>
      rowsOf('select from webhook_events where workspace_id = $1 and position($2 in data::text) > 0', [
        firm.id,
        name,
      ]);
    expect((await named()).length).toBeGreaterThan(1);
    await eraseAccount(services, agent.email, { actor: { kind: 'operator', id: 'ines' } });
    expect(await named()).toEqual([]);
    expect(await rowsOf('select from webhook_events where workspace_id = $1', [firm.id])).not.toEqual([]);
  });
});

describe('a receiver', () => {
  test('that fails gets the event again, and no later one of the ticket before it', async () => {
    const { id } = await addEndpoint({ events: ['ticket.created', 'ticket.updated'] });
    const ticket = await openTicket('First');
    await rename(ticket, 'high');
    const other = await openTicket('Second');
    answer = (response, event) => response.writeHead(event.data.id === ticket ? 500 : 200).end('Oops');
    await deliver(id);
    expect(typesOf(ticket)).toEqual(['ticket.created']);
    expect(typesOf(other)).toEqual(['ticket.created', 'ticket.updated']);
    expect(await deliveries({ q: ticket, state: 'waiting' })).toMatchObject([
      { type: 'ticket.updated', attempts: 0 },
      { type: 'ticket.updated', attempts: 0 },
      { type: 'ticket.created', attempts: 1, status: 500, detail: 'Oops' },
    ]);
    answer = (response) => response.end('ok');
    wait(60_000);
    await deliver(id);
    expect(typesOf(ticket)).toEqual(['ticket.created', 'ticket.created', 'ticket.updated', 'ticket.updated']);
    const [first, again] = received.filter(({ event }) => event.data.id === ticket);
    expect(again!.body).toBe(first!.body);
    expect(await deliveries({ state: 'waiting' })).toEqual([]);
  });

  test('that hangs, redirects, closes or talks nonsense is tried again later', async () => {
    const { id } = await addEndpoint({ events: ['ticket.created'] });
    const detailOf = async () => (await deliveries())[0];
    await openTicket();
    answer = () => {};
    await deliver(id);
    expect(await detailOf()).toMatchObject({
      state: 'waiting',
      status: null,
      detail: 'No answer: it took too long',
    });
    answer = (response) => response.writeHead(307, { Location: 'http://127.0.0.1:1/' }).end();
    wait(60_000);
    await deliver(id);
    expect(await detailOf()).toMatchObject({
      state: 'waiting',
      status: 307,
      detail: expect.stringMatching(/^Redirects/),
    });
    answer = (response) => response.socket!.destroy();
    wait(120_000);
    await deliver(id);
    expect(await detailOf()).toMatchObject({ state: 'waiting', status: null });
    let talk: (socket: Socket) => void = () => {};
    const liar = createTcpServer((socket) => socket.on('error', () => {}).once('data', () => talk(socket)));
    await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
    opened.push(liar);
    await call('firm.webhooks.update', {
      id,
      url: `http://localhost:${(liar.address() as AddressInfo).port}/`,
    });
    for (const nonsense of [
      '\0\0\0\0\r\n\r\n',
      `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`,
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
    ]) {
      talk = (socket) => socket.write(nonsense);
      wait(DAY_MS / 4);
      await call('firm.webhooks.replay', { id: (await detailOf()).id });
      await call('firm.webhooks.update', { id, enabled: true });
      await deliver(id);
      expect(await detailOf()).toMatchObject({ state: 'waiting', status: null });
    }
    // What it says of its body does not matter, nor does a body without an end.
    talk = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n\u0000taken');
      const flood = setInterval(() => socket.write('x'.repeat(10_000)), 1);
      socket.on('close', () => clearInterval(flood));
    };
    wait(DAY_MS / 4);
    await call('firm.webhooks.update', { id, enabled: true });
    await deliver(id);
    expect(await detailOf()).toMatchObject({
      state: 'delivered',
      status: 200,
      detail: expect.stringMatching(/^taken/),
    });
  });

  test('that is at a private address is not reached, whatever its name resolves to later', async () => {
    const { id } = await addEndpoint({ events: ['ticket.created'] });
    await openTicket();
    services.webhooks.allowsLoopback = false;
    try {
      for (const url of [
        'http://example.com/',
        'https://10.0.0.1/',
        'https://[::1]/',
        'https://2130706433/',
        'https://127.0.0.1./',
        'https://localhost/',
        'https://LOCALHOST./',
        'https://localhost../',
        'https://hooks.localhost./',
        'https://example.com./',
        'https://me:secret@example.com/',
        'ftp://example.com',
        'example.com',
      ])
        expect([url, (await rpc('firm.webhooks.update', { id, url })).code]).toEqual([
          url,
          'validation_failed',
        ]);
      await rowsOf(`update webhook_endpoints set url = 'https://localhost/' where id = $1`, [id]);
      await deliver(id);
      expect((await deliveries())[0]).toMatchObject({
        status: null,
        detail: 'No answer: not a public address',
      });
      expect(received).toEqual([]);
    } finally {
      services.webhooks.allowsLoopback = true;
    }
  });

  test('that fails for three days is switched off, the firm is told, and what waits is sent once it is switched on', async () => {
    const { id } = await addEndpoint({ events: ['ticket.created'] });
    await openTicket();
    answer = (response) => response.writeHead(503).end();
    await deliver(id);
    wait(2 * DAY_MS);
    const recent = await openTicket();
    await deliver(id);
    wait(DAY_MS + 1);
    await deliver(id);
    const [endpoint] = (await call('firm.webhooks.list')).data;
    expect(endpoint).toMatchObject({ disabled: 'failing', failing_since: expect.any(String) });
    expect((await deliveries()).map(({ state }: { state: string }) => state)).toEqual(['waiting', 'failed']);
    expect((await notificationsOf(gateway, firm)).at(-1)).toEqual({
      title: expect.stringMatching(/^Webhook switched off: 127/),
      user_id: user.id,
    });
    expect(
      await rowsOf(
        `select actor_kind from audit_events where action = 'webhook.disabled' and target_id = $1`,
        [id],
      ),
    ).toEqual([{ actor_kind: 'system' }]);
    const before = received.length;
    await deliver(id);
    expect(received).toHaveLength(before);
    answer = (response) => response.end();
    await call('firm.webhooks.update', { id, enabled: true });
    await deliver(id);
    expect(received.slice(before).map(({ event }) => event.data.id)).toEqual([recent]);
  });

  test('gets each event once and in the order of its ticket, also from many workers at once', async () => {
    const { id } = await addEndpoint({ events: ['ticket.updated'] });
    const tickets = await Promise.all(['a', 'b', 'c'].map((subject) => openTicket(subject)));
    const priorities = ['low', 'high', 'normal', 'urgent', 'low', 'high'];
    answer = (response) => setTimeout(() => response.end(), Math.random() * 20);
    const change = async (ticket: string) => {
      for (const priority of priorities) await rename(ticket, priority);
    };
    const run = () => deliver(id);
    await Promise.all([...tickets.map(change), run(), run(), run(), run()]);
    await Promise.all([run(), run(), run()]);
    await run();
    for (const ticket of tickets) {
      const got = received.flatMap(({ event }) =>
        event.data.id === ticket ? [(event.data as Ticket).priority] : [],
      );
      // The first one is of its message.
      expect(got.slice(1)).toEqual(priorities);
    }
  });

  test('gets an event again whose answer was lost with its sender', async () => {
    const { id } = await addEndpoint({ events: ['ticket.created'] });
    await openTicket();
    const dying = new AbortController();
    answer = () => dying.abort(new Error('died'));
    await expect(deliver(id, firm.id, dying.signal)).rejects.toThrow('died');
    answer = (response) => response.end();
    await deliver(id);
    expect(received).toHaveLength(1);
    await rowsOf('update webhook_deliveries set leased_until = now() where workspace_id = $1', [firm.id]);
    await deliver(id);
    expect(received.map(({ event }) => event.id)).toEqual(Array(2).fill(received[0]!.event.id));
    expect(await deliveries()).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  });
});

describe('endpoints and deliveries', () => {
  test('have a secret that is shown once, and is rotated with an overlap', async () => {
    const { id, secret } = await addEndpoint({ events: ['ticket.created'] });
    const { secret: next, previous_until } = await call('firm.webhooks.rotate', { id, overlap_hours: 1 });
    expect(previous_until).not.toBeNull();
    await openTicket();
    await deliver(id);
    wait(3_600_000);
    await openTicket();
    await deliver(id);
    const [during, after] = received;
    expect([isSigned(during!, secret), isSigned(during!, next)]).toEqual([true, true]);
    expect([isSigned(after!, secret), isSigned(after!, next)]).toEqual([false, true]);
    const shown = JSON.stringify([await call('firm.webhooks.list'), await deliveries()]);
    for (const one of [secret, next]) expect(shown).not.toContain(one.slice(6));
  });

  test('are searched, shown and sent again, and end with the endpoint', async () => {
    const { id } = await addEndpoint();
    const ticket = await openTicket();
    await openTicket();
    await deliver(id);
    const found = await deliveries({ q: ticket, type: 'ticket.created', state: 'delivered', endpoint: id });
    expect(found).toMatchObject([{ subject: ticket, attempts: 1, next_attempt_at: null }]);
    const [{ id: delivery, event }] = found;
    expect(await deliveries({ q: event })).toEqual(found);
    // By parts of the id, of the type and of the result.
    for (const q of [`${ticket.slice(-8)} TICKET.CREATED`, `${event.slice(-8)} ticket created 204`])
      expect(await deliveries({ q }), q).toEqual(found);
    expect(await deliveries({ q: `${ticket} failed` })).toEqual([]);
    const newest = await deliveries();
    expect(newest.length).toBeGreaterThan(1);
    expect(await deliveries({ sort: 'created_at' })).toEqual(newest.toReversed());
    expect(await deliveries({ q: 'ticket', sort: 'created_at', limit: 1 })).toEqual(newest.slice(-1));
    const { body } = await call('firm.webhooks.delivery', { id: delivery });
    const sent = received.filter(({ event: { id } }) => id === event);
    expect(sent.map((one) => one.body)).toEqual([body]);
    expect(await call('firm.webhooks.replay', { id: delivery })).toMatchObject({ state: 'waiting' });
    await deliver(id);
    expect(received.at(-1)!.body).toBe(body);
    await call('firm.webhooks.delete', { id });
    expect(await deliveries()).toEqual([]);
  });

  test('are at most ten, and show nobody more than the console does', async () => {
    const manager = await createUserWithToken(gateway, { firm, permissions: ['manage_settings'] });
    expect(
      (await rpc('firm.webhooks.create', { url: HOOKS, events: ['ticket.created'] }, manager.token)).fields,
    ).toMatchObject([{ path: 'events' }]);
    const { id } = await addEndpoint({ events: ['ticket.created'] });
    await openTicket();
    await deliver(id);
    const [{ id: delivery }] = await deliveries();
    expect((await call('firm.webhooks.deliveries', {}, manager.token)).data).toEqual([]);
    for (const procedure of ['delivery', 'replay'])
      expect((await rpc(`firm.webhooks.${procedure}`, { id: delivery }, manager.token)).code).toBe(
        'resource_not_found',
      );
    for (const [procedure, change] of [
      ['update', { url: `${HOOKS}/mine` }],
      ['update', { events: ['ticket.created', 'mail.bounced'] }],
      ['rotate', {}],
    ] as const)
      expect(
        (await rpc(`firm.webhooks.${procedure}`, { id, ...change }, manager.token)).fields,
      ).toMatchObject([{ path: 'events' }]);
    await call('firm.webhooks.update', { id, enabled: false }, manager.token);
    for (let n = 1; n < 10; n++) await addEndpoint();
    expect(
      (await rpc('firm.webhooks.create', { url: HOOKS, events: ['mail.bounced'] })).fields,
    ).toMatchObject([{ path: 'url' }]);
  });
});
