/** One account does not take the connections of a process from others. */
import { createToken, createUser, createWorkspace } from '@firmdesk/testing';
import { openSocket, type RawSocket, suiteGateway } from '@firmdesk/testing/gateway';
import { afterAll, expect, test } from 'vitest';

/** While no other account calls, one may use all connections but two. */
const POOL = 8;
/** How many lists are read at once. */
const CONCURRENT_LISTS = 4;
const gateway = await suiteGateway({ poolSizes: { main: POOL } });
const { services } = gateway;

const sockets = new Map<string, Promise<RawSocket>>();
afterAll(async () => {
  for (const socket of sockets.values()) (await socket).ws.terminate();
});

/** Starts a subscription on the socket of a token. It reads a ticket first. */
async function subscribe(token: string): Promise<{ status: number }> {
  const socket = sockets.get(token) ?? openSocket(gateway.url, { params: { token } });
  sockets.set(token, socket);
  const { ws, call } = await socket;
  ws.setMaxListeners(0);
  await call('subscription', 'tickets.stream', { ticket: `tkt_${'0'.repeat(26)}` });
  return { status: 200 };
}

const calls = [
  ['starts of subscriptions', POOL - 2, subscribe],
  ['queries', POOL - 2, (token: string) => gateway.request('GET /v1/admin/tickets', { token })],
  [
    'mutations',
    POOL - 2,
    (token: string) =>
      gateway.rpc('tickets.platform.traderRenamed', { token, body: { trader: `usr_${'0'.repeat(26)}` } }),
  ],
  [
    'changes of all tickets that match a filter',
    CONCURRENT_LISTS,
    (token: string) =>
      gateway.rpc('tickets.bulkChanges.start', {
        token,
        body: { filter: { status: 'all' }, action: { set: 'priority', priority: 'high' } },
      }),
  ],
] as const;

test.each(calls)(
  '%s of one account that wait in the database delay no other account',
  async (_, most, call) => {
    const firm = await createWorkspace(services);
    const [greedy, other] = await Promise.all(
      [1, 2].map(async () => {
        const user = await createUser(services, { firm, permissions: ['view_tickets', 'manage_tickets'] });
        const scopes = ['admin:read', 'admin:write', 'platform:write'] as const;
        return (await createToken(services, { user, workspace: firm.slug, scopes: [...scopes] })).text;
      }),
    );
    const locker = await services.pool.connect();
    await locker.query('begin; lock table tickets in access exclusive mode');
    const waiting = Array.from({ length: 5 * POOL }, () => call(greedy!));
    const waitingForLock = async () =>
      (await locker.query('select from pg_locks where not granted and relation = $1::regclass', ['tickets']))
        .rows.length;
    await expect.poll(waitingForLock).toBe(most);
    for (let n = 0; n < 10; n++)
      expect((await gateway.request('GET /v1/ping', { token: other! })).status).toBe(200);
    await locker.query('rollback');
    locker.release();
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
  },
);

test('calls of five accounts of one firm delay no other firm, and no sign-in', async () => {
  const firm = await createWorkspace(services);
  const tokenOf = async (of: typeof firm) => {
    const user = await createUser(services, { firm: of, permissions: ['view_tickets'] });
    return (await createToken(services, { user, workspace: of.slug, scopes: ['admin:read'] })).text;
  };
  const greedy = await Promise.all([1, 2, 3, 4, 5].map(() => tokenOf(firm)));
  const other = await tokenOf(await createWorkspace(services));
  // Not one of the connections that they share.
  const { services: elsewhere } = await gateway.secondNode();
  const locker = await elsewhere.pool.connect();
  await locker.query('begin; lock table tickets in access exclusive mode');
  const waiting = greedy.flatMap((token) =>
    Array.from({ length: POOL }, () => gateway.request('GET /v1/admin/tickets', { token })),
  );
  const waitingForLock = async () =>
    (await locker.query('select from pg_locks where not granted and relation = $1::regclass', ['tickets']))
      .rows.length;
  await expect.poll(waitingForLock).toBe(POOL - 1);
  for (let n = 0; n < 10; n++)
    expect((await gateway.request('GET /v1/ping', { token: other })).status).toBe(200);
  const body = { email: 'nobody@example.com', password: 'a guess of a password' };
  expect((await gateway.rpc('sessions.signIn', { body })).code).toBe('invalid_credentials');
  await locker.query('rollback');
  locker.release();
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
});
