import { type ChildProcess, spawn } from 'node:child_process';
import type { PresenceEvent } from '@firmdesk/contract';
import { createTicket } from '@firmdesk/testing';
import {
  createTicketFixture,
  createUserWithToken,
  follow,
  openSocket,
  suiteGateway,
} from '@firmdesk/testing/gateway';
import { afterEach, expect, test, vi } from 'vitest';

const gateway = await suiteGateway();
const children: ChildProcess[] = [];
afterEach(() => children.splice(0).forEach((child) => void child.kill('SIGKILL')));

/** Starts another gateway process as in production. Resolves with its URL. */
async function startGateway(): Promise<{ child: ChildProcess; url: string }> {
  const main = new URL('../../../../../apps/gateway/src/main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [main, '--role', 'gateway'], {
    env: { DATABASE_URL: gateway.databaseUrl, PORT: '0', DEMO: '0', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let out = '';
  child.stdout!.on('data', (chunk) => (out += chunk));
  await vi.waitFor(() => expect(out).toMatch(/http:\/\/127\.0\.0\.1:\d+/), { timeout: 60_000 });
  return { child, url: /http:\/\/127\.0\.0\.1:\d+/.exec(out)![0] };
}

async function setUp() {
  const { firm, trader, token } = await createTicketFixture(gateway, ['view_tickets', 'manage_tickets']);
  const ticket = await createTicket(gateway.services, { firm, trader });
  const colleague = await createUserWithToken(gateway, {
    firm,
    name: 'Ben Best',
    permissions: ['view_tickets'],
  });
  return { firm, ticket, token, colleague };
}

const followPresence = (token: string, url = gateway.url) =>
  follow<PresenceEvent>(url, { token }, (trpc, handlers) => trpc.tickets.presence.subscribe({}, handlers));

const attend = (token: string, ticket: string, { url = gateway.url, typing = false } = {}) =>
  follow(url, { token }, (trpc, handlers) => trpc.tickets.attend.subscribe({ ticket, typing }, handlers));

/** Returns the viewers of a ticket as the events tell. */
const viewersOf = (events: readonly { data: PresenceEvent }[], ticket: string) =>
  events
    .flatMap(({ data }) =>
      data.is_all
        ? [data.tickets.find((each) => each.ticket === ticket)?.viewers ?? []]
        : data.tickets.filter((each) => each.ticket === ticket).map(({ viewers }) => viewers),
    )
    .at(-1);

/** Waits for more than the ten seconds in which a lost process is noticed, on a slow machine. */
const LONG = { timeout: 60_000 };

test('shows who has a ticket open and who types, on each gateway, until the window is closed or its gateway is killed', async () => {
  const { ticket, token, colleague } = await setUp();
  const other = await startGateway();
  using here = await followPresence(token);
  using there = await followPresence(token, other.url);
  const viewer = { id: colleague.user.id, name: 'Ben Best' };
  const both = [here, there];
  const shown = (typing: boolean) => [{ ...viewer, is_typing: typing }];
  {
    using _first = await attend(colleague.token, ticket);
    for (const { events } of both)
      await expect.poll(() => viewersOf(events, ticket), LONG).toEqual(shown(false));
    using _second = await attend(colleague.token, ticket, { typing: true });
    for (const { events } of both)
      await expect.poll(() => viewersOf(events, ticket), LONG).toEqual(shown(true));
    // Who joins later gets all of it.
    using late = await followPresence(token, other.url);
    await expect.poll(() => viewersOf(late.events, ticket), LONG).toEqual(shown(true));
  }
  for (const { events } of both) await expect.poll(() => viewersOf(events, ticket), LONG).toEqual([]);
  using _lost = await attend(colleague.token, ticket, { url: other.url });
  await expect.poll(() => viewersOf(here.events, ticket), LONG).toEqual(shown(false));
  other.child.kill('SIGKILL');
  await expect.poll(() => viewersOf(here.events, ticket), LONG).toEqual([]);
}, 180_000);

test('leaves out a window that does not answer, although its connection is open, until it answers again', async () => {
  const { ticket, token, colleague } = await setUp();
  const other = await startGateway();
  using stream = await followPresence(token, other.url);
  const frozen = await openSocket(gateway.url, { params: { token: colleague.token } });
  await frozen.call('subscription', 'tickets.attend', { ticket, typing: false });
  await expect.poll(() => viewersOf(stream.events, ticket), LONG).toHaveLength(1);
  await expect.poll(() => viewersOf(stream.events, ticket), LONG).toEqual([]);
  expect(frozen.messages.filter((message) => message === 'PING')).toHaveLength(1);
  // The keep-alive of sockets ends it after 50 seconds.
  expect(frozen.ws.readyState).toBe(frozen.ws.OPEN);
  frozen.ws.send('PONG');
  await expect.poll(() => viewersOf(stream.events, ticket), LONG).toHaveLength(1);
  frozen.ws.close();
  await expect.poll(() => viewersOf(stream.events, ticket), LONG).toEqual([]);
}, 180_000);

test('is of one firm, and of a ticket that the caller may view', async () => {
  const [one, two] = [await setUp(), await setUp()];
  using stream = await followPresence(one.token);
  using _own = await attend(one.colleague.token, one.ticket);
  using _others = await attend(two.colleague.token, two.ticket);
  await expect.poll(() => viewersOf(stream.events, one.ticket), LONG).toHaveLength(1);
  expect(JSON.stringify(stream.events)).not.toContain(two.ticket);
  using refused = await attend(one.token, two.ticket);
  expect(refused.errors).toEqual(['resource_not_found']);
});

test('is stored in no table, and leaves no timer when nobody looks', async () => {
  const { ticket, token, colleague } = await setUp();
  const rows = async () =>
    (
      await gateway.services.pool.query(
        `select sum(n_tup_ins + n_tup_upd)::integer as n from pg_stat_user_tables where relname in ('event_log', 'idempotency_keys', 'tickets', 'notifications')`,
      )
    ).rows;
  await gateway.services.pool.query('select pg_stat_force_next_flush()');
  const before = await rows();
  {
    using stream = await followPresence(token);
    using _attendance = await attend(colleague.token, ticket);
    await expect.poll(() => viewersOf(stream.events, ticket), LONG).toHaveLength(1);
    expect(gateway.services.presence.isIdle).toBe(false);
  }
  await expect.poll(() => gateway.services.presence.isIdle, LONG).toBe(true);
  expect(await rows()).toEqual(before);
});
