/** Calls that change or use how an account signs in take their locks in one order, and change nothing once their session has ended. */
import { createAuthenticator } from '@firmdesk/testing';
import { createUserWithPassword, PASSWORD, signInAt, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeEach, expect, test } from 'vitest';
import { proveAddress } from '../../access/accounts/prove-address.ts';
import { createChallenge } from '../../access/sign-in/challenges.ts';
import { withTransaction } from '../../platform/database/transaction.ts';

const gateway = await suiteGateway();
const { services } = gateway;
const { pool } = services;
let user: Awaited<ReturnType<typeof createUserWithPassword>>['user'];
let token: string;

beforeEach(async () => {
  ({ user } = await createUserWithPassword(gateway));
  token = (await signInAt(gateway)(user.email)).body.data.token;
});

const rpc = (name: string, body: object = {}, as: string | null = null) =>
  gateway.rpc(name, { token: as, body });
async function addPasskey() {
  const authenticator = createAuthenticator(gateway.url);
  const { options } = (await rpc('signIn.startPasskey', {}, token)).data;
  const response = authenticator.create(options);
  expect((await rpc('signIn.addPasskey', { name: 'Laptop', response }, token)).code).toBeNull();
  return authenticator;
}
const answerOf = async (authenticator: ReturnType<typeof createAuthenticator>) =>
  authenticator.get((await rpc('sessions.startPasskey')).data.options);
const linkOf = () =>
  withTransaction(services, async (ctx) => (await createChallenge(ctx, 'password_reset', user.id)).text);

/** Holds the account as a change of it does, until the returned function is called. */
async function hold(mode = 'pg_advisory_xact_lock') {
  const client = await pool.connect();
  await client.query(`begin; set local lock_timeout = '2s'`);
  await client.query(`select ${mode}(hashtextextended('account ' || $1, 0))`, [user.id]);
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.query('rollback');
      client.release();
    },
  };
}
/** Waits until a session waits for the lock that {@link hold} has. */
const waits = () =>
  expect
    .poll(async () => {
      const { rows } = await pool.query(
        `select from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows.length;
    })
    .toBe(1);

test('a call that waits for the account holds none of its rows', async () => {
  const authenticator = await addPasskey();
  const answer = await answerOf(authenticator);
  const confirmation = await answerOf(authenticator);
  const link = await linkOf();
  const calls = [
    () => rpc('sessions.signInWithPasskey', { response: answer }),
    () => rpc('sessions.confirm', { passkey: confirmation }, token),
    () => rpc('sessions.resetPassword', { link, new_password: 'another long password' }),
  ];
  for (const call of calls) {
    const { client, ...held } = await hold();
    const waiting = call();
    await waits();
    // A change of the account deletes and updates these.
    for (const table of ['passkeys', 'sign_in_challenges', 'tokens'])
      await client.query(`select from ${table} where user_id = $1 for update`, [user.id]);
    await held[Symbol.asyncDispose]();
    expect((await waiting).code).toBeNull();
  }
});

test('a confirmation with a passkey of another account does not wait for that account', async () => {
  const authenticator = await addPasskey();
  const { user: other } = await createUserWithPassword(gateway);
  const otherToken = (await signInAt(gateway)(other.email)).body.data.token;
  const passkey = await answerOf(authenticator);
  await using _held = await hold();
  expect((await rpc('sessions.confirm', { passkey }, otherToken)).code).toBe('invalid_credentials');
});

test('a call whose session ends while it waits for the account changes nothing', async () => {
  const authenticator = createAuthenticator(gateway.url);
  const { options } = (await rpc('signIn.startPasskey', {}, token)).data;
  const { client, ...held } = await hold();
  const waiting = rpc(
    'signIn.addPasskey',
    { name: 'Laptop', response: authenticator.create(options) },
    token,
  );
  await waits();
  await client.query('update tokens set revoked_at = now() where user_id = $1', [user.id]);
  await client.query('commit');
  await held[Symbol.asyncDispose]();
  expect((await waiting).code).toBe('revoked_token');
  expect((await pool.query('select from passkeys where user_id = $1', [user.id])).rows).toEqual([]);
});

test('sign-ins, confirmations, proofs of the address and new passwords at once end without a deadlock', async () => {
  const deadlocks = async () => {
    const { rows } = await pool.query(
      'select deadlocks::integer as deadlocks from pg_stat_database where datname = current_database()',
    );
    return rows[0].deadlocks;
  };
  const before = await deadlocks();
  for (let round = 0; round < 10; round++) {
    const authenticator = await addPasskey();
    const answers = await Promise.all([1, 2, 3].map(() => answerOf(authenticator)));
    const confirmations = await Promise.all([1, 2, 3, 4].map(() => answerOf(authenticator)));
    const confirmed = await Promise.all(
      confirmations.map((passkey) => rpc('sessions.confirm', { passkey }, token)),
    );
    // A passkey counts its uses: one that comes after a later one is refused.
    for (const { code } of confirmed) expect([null, 'invalid_credentials']).toContain(code);
    const links = await Promise.all([1, 2].map(linkOf));
    await pool.query('update users set email_proved = false where id = $1', [user.id]);
    const done = await Promise.all([
      ...answers.map((response) => rpc('sessions.signInWithPasskey', { response })),
      ...links.map((link) => rpc('sessions.resetPassword', { link, new_password: PASSWORD })),
      withTransaction(services, (ctx) => proveAddress(ctx, user.id)).then(() => ({ code: null })),
    ]);
    for (const { code } of done) expect([null, 'invalid_credentials', 'challenge_expired']).toContain(code);
    await pool.query('delete from passkeys where user_id = $1', [user.id]);
    await rpc('sessions.resetPassword', { link: await linkOf(), new_password: PASSWORD });
    token = (await signInAt(gateway)(user.email)).body.data.token;
  }
  expect(await deadlocks()).toBe(before);
});
