import { PLATFORM, TOKEN_IDLE_DAYS } from '@firmdesk/contract';
import { addUser, dismissMember, revokeToken, type Services, withTransaction } from '@firmdesk/domain';
import {
  createToken,
  createUser,
  createWorkspace,
  openTestServices,
  type TestServices,
} from '@firmdesk/testing';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { LOOK_MS, TokenWatch } from './token-watch.ts';

const NEVER_MS = Number.POSITIVE_INFINITY;

let base: TestServices;
beforeEach(async () => {
  base = await openTestServices(inject('postgresUrl'));
});
afterEach(() => base[Symbol.asyncDispose]());

/** A connection that records with which code it was closed. */
class Connection {
  closed: [code: number, reason: string][] = [];
  close(code: number, reason: string): void {
    this.closed.push([code, reason]);
  }
}

/** Opens a watch as a gateway does. By default it reads no token without a sign of a change. */
function openWatch(fullCheckMs = NEVER_MS, pool = base.services.pool): TokenWatch<Connection> {
  return new TokenWatch<Connection>({ ...base.services, pool }, fullCheckMs);
}

/** Opens a connection with a token. The first look of a watch reads all tokens. */
async function connect(watch: TokenWatch<Connection>, tokenId: string): Promise<Connection> {
  const connection = new Connection();
  expect(await watch.add(connection, tokenId)).toBe(true);
  await watch.look();
  return connection;
}

async function createTokenOfAgent(expiresAt?: Date) {
  const { services } = base;
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm });
  const token = await createToken(services, { user, workspace: firm.slug, ...(expiresAt && { expiresAt }) });
  return { firm, user, id: token.id };
}

const ended = [[4401, 'the token has ended']];
const changed = [[1012, 'the rights of the token have changed']];

test('closes the connections of a revoked token on every node, and no other', async () => {
  const [token, other] = [await createTokenOfAgent(), await createTokenOfAgent()];
  const [here, there] = [openWatch(), openWatch()];
  const closing = [
    await connect(here, token.id),
    await connect(here, token.id),
    await connect(there, token.id),
  ];
  const kept = await connect(here, other.id);
  await withTransaction(base.services, (ctx) => revokeToken(ctx, token.id));
  await here.look();
  await there.look();
  expect(closing.map(({ closed }) => closed)).toEqual([ended, ended, ended]);
  expect(kept.closed).toEqual([]);
});

test('closes the connections of a dismissed member', async () => {
  const { firm, user, id } = await createTokenOfAgent();
  const watch = openWatch();
  const connection = await connect(watch, id);
  await withTransaction(base.services, (ctx) =>
    dismissMember(ctx, { email: user.email, workspace: firm.slug }),
  );
  await watch.look();
  expect(connection.closed).toEqual(ended);
});

test('closes the connections of an account whose rights change, so that it reconnects with the new ones', async () => {
  const { user, id } = await createTokenOfAgent();
  const watch = openWatch();
  const connection = await connect(watch, id);
  await withTransaction(base.services, (ctx) =>
    addUser(ctx, { email: user.email, name: 'Robin', workspace: PLATFORM, role: 'admin', permissions: [] }),
  );
  await watch.look();
  expect(connection.closed).toEqual(changed);
});

test('closes the connections of a token whose revocation commits late', async () => {
  const { id } = await createTokenOfAgent();
  const watch = openWatch();
  const connection = await connect(watch, id);
  await withTransaction(base.services, async (ctx) => {
    await revokeToken(ctx, id);
    // A later transaction commits earlier, and the watch reads past it.
    const { id: other } = await createTokenOfAgent();
    await withTransaction(base.services, (later) => revokeToken(later, other));
    await watch.look();
    await watch.look();
    expect(connection.closed).toEqual([]);
  });
  await watch.look();
  expect(connection.closed).toEqual(ended);
});

test('closes the connection of a token that is revoked while the connection opens', async () => {
  const [first, { id }] = [await createTokenOfAgent(), await createTokenOfAgent()];
  const mayAnswer = Promise.withResolvers<void>();
  const isRead = Promise.withResolvers<void>();
  // Delays the rights: the database has read them, and the gateway does not have them yet.
  const delayed = poolWith(async (query, { name, values }) => {
    const result = await query();
    if (name !== 'find-token-rights' || !(values[0] as string[]).includes(id)) return result;
    isRead.resolve();
    await mayAnswer.promise;
    return result;
  });
  const watch = openWatch(NEVER_MS, delayed);
  await connect(watch, first.id);
  const connection = new Connection();
  const adding = watch.add(connection, id);
  await isRead.promise;
  await withTransaction(base.services, (ctx) => revokeToken(ctx, id));
  const looking = watch.look();
  mayAnswer.resolve();
  await looking;
  await adding;
  await watch.look();
  expect(connection.closed).toEqual(ended);
});

test('closes the connections of a token when it expires', async () => {
  const { clock } = base;
  const { id } = await createTokenOfAgent(new Date(clock.now().getTime() + 60_000));
  const watch = openWatch();
  const connection = await connect(watch, id);
  clock.advance(59_999);
  await watch.look();
  expect(connection.closed).toEqual([]);
  clock.advance(1);
  await watch.look();
  expect(connection.closed).toEqual(ended);
});

test('keeps the connections of a token that was used before it would have expired', async () => {
  const { services, clock } = base;
  const { id } = await createTokenOfAgent();
  const watch = openWatch();
  const connection = await connect(watch, id);
  const idle = TOKEN_IDLE_DAYS * 86_400_000;
  clock.advance(idle - 1_000);
  await services.pool.query('update tokens set last_used_at = $2 where id = $1', [id, clock.now()]);
  clock.advance(2_000);
  await watch.look();
  await watch.look();
  expect(connection.closed).toEqual([]);
  clock.advance(idle);
  await watch.look();
  expect(connection.closed).toEqual(ended);
});

test('closes connections after a change by hand within the time of a full check', async () => {
  const tokens = await Promise.all(Array.from({ length: 5 }, () => createTokenOfAgent()));
  const LOOKS = 5;
  const watch = openWatch(LOOKS * LOOK_MS);
  const connections = await Promise.all(tokens.map(({ id }) => connect(watch, id)));
  await base.services.pool.query('update memberships set active = false');
  // The turn ends once in between.
  for (let n = 0; n <= LOOKS; n++) await watch.look();
  for (const connection of connections) expect(connection.closed.at(0)).toEqual(ended[0]);
});

test('checks all tokens after a look that failed', async () => {
  const { id } = await createTokenOfAgent();
  let isAway = false;
  const watch = openWatch(
    NEVER_MS,
    poolWith((query) => (isAway ? Promise.reject(new Error('away')) : query())),
  );
  const connection = await connect(watch, id);
  // Without a sign of a change, so that only a check of all tokens finds it.
  await base.services.pool.query('update tokens set revoked_at = now() where id = $1', [id]);
  await watch.look();
  expect(connection.closed).toEqual([]);
  isAway = true;
  await watch.look();
  isAway = false;
  await watch.look();
  expect(connection.closed).toEqual(ended);
});

test('reads the rights of changed tokens only', async () => {
  const read: string[][] = [];
  const recording = poolWith((query, { name, values }) => {
    if (name === 'find-token-rights') read.push(values[0] as string[]);
    return query();
  });
  const tokens = await Promise.all(Array.from({ length: 20 }, () => createTokenOfAgent()));
  const watch = openWatch(NEVER_MS, recording);
  await Promise.all(tokens.map(({ id }) => watch.add(new Connection(), id)));
  expect(read).toHaveLength(1);
  await watch.look();
  read.length = 0;
  await watch.look();
  expect(read).toEqual([]);
  await withTransaction(base.services, (ctx) => revokeToken(ctx, tokens[3]!.id));
  await watch.look();
  expect(read).toEqual([[tokens[3]!.id]]);
});

test('reads nothing while no connection is open', async () => {
  let statements = 0;
  const counting = poolWith((query) => {
    statements++;
    return query();
  });
  const { id } = await createTokenOfAgent();
  const watch = openWatch(NEVER_MS, counting);
  const connection = await connect(watch, id);
  watch.delete(connection);
  expect(watch.count(id)).toBe(0);
  statements = 0;
  await watch.look();
  expect(statements).toBe(0);
});

type Pool = Services['pool'];
type Statement = { name: string; text: string; values: unknown[] };

/** Returns the services' pool with a function around each statement. */
function poolWith(around: (query: () => Promise<unknown>, statement: Statement) => Promise<unknown>): Pool {
  const { pool } = base.services;
  const query = (statement: Statement, values?: unknown[]) =>
    around(() => pool.query(statement, values), statement);
  return Object.assign(Object.create(pool), { query });
}
