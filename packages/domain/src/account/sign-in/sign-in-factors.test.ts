/** Fresh sign-ins, second factors and passkeys, by the calls that phones and browsers make. */
import { createAuthenticator, createWorkspace } from '@firmdesk/testing';
import {
  createUserWithPassword,
  openTestGateway,
  PASSWORD,
  signInAt,
  suiteGateway,
} from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { eraseIdentity } from '../../access/accounts/erase-identity.ts';
import { sealAgain } from '../../access/sign-in/seal.ts';
import { codeAt } from '../../access/sign-in/totp.ts';
import { withTransaction } from '../../platform/database/transaction.ts';

const MINUTE = 60_000;
const gateway = await suiteGateway();
const { services, clock } = gateway;
const signIn = signInAt(gateway);
type User = Awaited<ReturnType<typeof createUserWithPassword>>['user'];
let user: User;
let firm: Awaited<ReturnType<typeof createUserWithPassword>>['firm'];
let token: string;

beforeEach(async () => {
  ({ user, firm } = await createUserWithPassword(gateway));
  token = (await signIn(user.email)).body.data.token;
});

const rpc = (name: string, body: object = {}, as: string | null = token) =>
  gateway.rpc(name, { token: as, body });
const ok = async (name: string, body: object = {}, as: string | null = token) => {
  const answer = await rpc(name, body, as);
  expect(answer.code, answer.text).toBeNull();
  return answer.data;
};
const codeOf = async (answer: ReturnType<typeof signIn>) => (await answer).body.error?.code ?? null;
const auditOf = async (action: string) =>
  (
    await services.pool.query('select after from audit_events where target_id = $1 and action = $2', [
      user.id,
      action,
    ])
  ).rows.map(({ after }) => after);

/** Adds an authenticator app. Returns the codes that it shows, and the recovery codes. */
async function addApp() {
  const { secret, url } = await ok('signIn.startSecondFactor');
  expect(url).toContain(`secret=${secret}`);
  const bits = [...secret].map((letter: string) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const key = Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)!
      .map((byte) => Number.parseInt(byte, 2)),
  );
  const code = (steps = 0) => codeAt(key, Math.floor(clock.now().getTime() / 30_000) + steps);
  const { codes } = await ok('signIn.enableSecondFactor', { code: code() });
  return { code, codes: codes as string[] };
}

describe('a fresh sign-in', () => {
  test('is asked for five minutes after the last one, and given by the password', async () => {
    clock.advance(5 * MINUTE);
    expect((await rpc('signIn.startSecondFactor')).code).toBe('fresh_sign_in_required');
    expect((await rpc('sessions.confirm', { password: 'wrong' })).code).toBe('validation_failed');
    expect((await rpc('sessions.confirm', {})).code).toBe('validation_failed');
    expect((await rpc('signIn.startSecondFactor')).code).toBe('fresh_sign_in_required');
    await ok('sessions.confirm', { password: PASSWORD });
    await ok('signIn.startSecondFactor');
    expect(await auditOf('user.session_confirmed')).toMatchObject([{ method: 'password' }]);
  });

  test('is of one session: another of the same account stays as it was', async () => {
    clock.advance(5 * MINUTE);
    const other = (await signIn(user.email)).body.data.token;
    await ok('signIn.startSecondFactor', {}, other);
    expect((await rpc('signIn.startSecondFactor')).code).toBe('fresh_sign_in_required');
  });

  test('sessions say how they were opened', async () => {
    const { code } = await addApp();
    clock.advance(MINUTE);
    await signIn(user.email, { code: code(), name: 'Phone' });
    const { body } = await gateway.request('GET /v1/me/sessions', { token });
    expect(body.data.map((each: { signed_in_by: string }) => each.signed_in_by).sort()).toEqual([
      'code',
      'password',
    ]);
  });
});

describe('the owner of an account', () => {
  const notices = async (of = user.id) =>
    (
      await services.pool.query<{ title: string; body: string; workspace_id: number }>(
        `select workspace_id, title, body from notifications where user_id = $1 and kind = 'sign_in_changed' order by created_at, title`,
        [of],
      )
    ).rows;

  test('is told of each change of how it signs in, in each of its firms and by mail, without a secret', async () => {
    const second = await createWorkspace(services);
    await services.pool.query(
      `insert into memberships (workspace_id, user_id, role, created_at) values ($1, $2, 'trader', now())`,
      [second.id, user.id],
    );
    await services.pool.query(`update users set language = 'de' where id = $1`, [user.id]);
    const { codes } = await addApp();
    await ok('signIn.renewRecoveryCodes');
    await ok('signIn.disableSecondFactor');
    await gateway.request('PUT /v1/me/password', {
      token,
      body: { current_password: PASSWORD, new_password: `${PASSWORD} new` },
    });
    const told = await notices();
    expect(new Set(told.map(({ workspace_id }) => workspace_id))).toEqual(new Set([firm.id, second.id]));
    expect([...new Set(told.map(({ title }) => title))].sort()).toEqual([
      'Die Anmeldung mit einem Code wurde ausgeschaltet',
      'Die Anmeldung mit einem Code wurde eingeschaltet',
      'Ihr Passwort wurde geändert',
      'Neue Wiederherstellungscodes wurden erstellt',
    ]);
    for (const { body } of told)
      expect(body).toMatch(/^Wann: .+ UTC\. Aus dem Netz: 127\.0\.0\.0\/24\. Wenn Sie/);
    const mails = await services.pool.query(
      `select content from outgoing_messages where user_id = $1 and kind = 'security_notice'`,
      [user.id],
    );
    expect(mails.rows).toHaveLength(4);
    const all = JSON.stringify([told, mails.rows, await auditOf('user.password_changed')]);
    for (const secret of [...codes, PASSWORD, token, user.email]) expect(all).not.toContain(secret);
  });

  test('is not told of what failed', async () => {
    await ok('signIn.startSecondFactor');
    await rpc('signIn.enableSecondFactor', { code: '000000' });
    await rpc('sessions.confirm', { password: PASSWORD });
    expect(await notices()).toEqual([]);
  });
});

describe('a second factor', () => {
  test('is asked for after the password, by a challenge that takes the code once', async () => {
    const { code } = await addApp();
    clock.advance(MINUTE);
    expect(await codeOf(signIn(user.email, { password: 'wrong' }))).toBe('invalid_credentials');
    const refused = await signIn(user.email);
    expect(refused.status).toBe(401);
    const { code: why, challenge } = refused.body.error;
    expect(why).toBe('second_factor_required');
    const answer = (over: object) => gateway.request('POST /v1/sessions', { body: { challenge, ...over } });
    expect(await codeOf(answer({ code: '000000' }))).toBe('invalid_code');
    expect(await codeOf(answer({}))).toBe('validation_failed');
    const opened = await answer({ code: code(), name: 'Phone' });
    expect(opened.status, opened.text).toBe(201);
    expect(opened.body.data).toMatchObject({ signed_in_by: 'code', user: { id: user.id } });
    expect(await codeOf(answer({ code: code(1) }))).toBe('challenge_expired');
  });

  test('accepts no code twice, also with the password and not in a challenge', async () => {
    const { code } = await addApp();
    expect(await codeOf(signIn(user.email, { code: code() }))).toBe('invalid_code');
    clock.advance(MINUTE);
    const used = code();
    const both = await Promise.all([1, 2].map(() => codeOf(signIn(user.email, { code: used }))));
    expect(both.sort()).toEqual(['invalid_code', null]);
    expect(await codeOf(signIn(user.email, { code: code(-1) }))).toBe('invalid_code');
  });

  test('a recovery code opens one session, in any case and without hyphens', async () => {
    const { codes } = await addApp();
    expect(new Set(codes).size).toBe(10);
    const typed = codes[0]!.toUpperCase().replaceAll('-', ' ');
    expect(await codeOf(signIn(user.email, { code: typed }))).toBeNull();
    expect(await codeOf(signIn(user.email, { code: codes[0] }))).toBe('invalid_code');
    expect((await ok('signIn.get')).second_factor).toMatchObject({ recovery_codes_left: 9 });
    await ok('signIn.renewRecoveryCodes');
    expect(await codeOf(signIn(user.email, { code: codes[1] }))).toBe('invalid_code');
  });

  test('is needed for a fresh sign-in and a new password: the password alone does not suffice', async () => {
    const { code } = await addApp();
    clock.advance(5 * MINUTE);
    expect((await rpc('sessions.confirm', { password: PASSWORD })).code).toBe('validation_failed');
    const change = () =>
      gateway.request('PUT /v1/me/password', {
        token,
        body: { current_password: PASSWORD, new_password: `${PASSWORD} new` },
      });
    expect((await change()).body.error.code).toBe('fresh_sign_in_required');
    await ok('sessions.confirm', { code: code() });
    expect((await change()).status).toBe(200);
    await ok('signIn.disableSecondFactor');
    expect(await codeOf(signIn(user.email, { password: `${PASSWORD} new` }))).toBeNull();
    expect(await auditOf('user.second_factor_disabled')).toHaveLength(1);
  });

  test('counts once a code has confirmed it, and is not replaced without being removed', async () => {
    await ok('signIn.startSecondFactor');
    expect((await rpc('signIn.enableSecondFactor', { code: '000000' })).code).toBe('invalid_code');
    expect(await codeOf(signIn(user.email))).toBeNull();
    await addApp();
    expect((await rpc('signIn.startSecondFactor')).code).toBe('validation_failed');
  });

  test('a challenge ends with a change of the password, and after ten minutes', async () => {
    const { code } = await addApp();
    const challengeOf = async () => (await signIn(user.email)).body.error.challenge;
    const first = await challengeOf();
    const next = { current_password: PASSWORD, new_password: `${PASSWORD} 2` };
    expect((await gateway.request('PUT /v1/me/password', { token, body: next })).status).toBe(200);
    clock.advance(MINUTE);
    const answer = (challenge: string) =>
      codeOf(gateway.request('POST /v1/sessions', { body: { challenge, code: code() } }));
    expect(await answer(first)).toBe('challenge_expired');
    const second = (await signIn(user.email, { password: `${PASSWORD} 2` })).body.error.challenge;
    clock.advance(10 * MINUTE);
    expect(await answer(second)).toBe('challenge_expired');
  });

  test('wrong codes are delayed as wrong passwords are, whatever passwords succeed in between', async () => {
    await using real = await openTestGateway(inject('postgresUrl'), { limitsSignIns: true });
    const one = await createUserWithPassword(real);
    const opened = (await signInAt(real)(one.user.email)).body.data.token;
    const start = await real.rpc('signIn.startSecondFactor', { token: opened });
    expect(start.code).toBeNull();
    await real.services.pool.query('update second_factors set confirmed_at = now()');
    const codes: (string | null)[] = [];
    for (let i = 0; i < 11; i++) {
      real.clock.advance(MINUTE / 4);
      codes.push(await codeOf(signInAt(real)(one.user.email, { code: 'wrong' })));
    }
    expect(codes.filter((each) => each === 'invalid_code').length).toBeLessThan(11);
    expect(codes.at(-1)).toBe('rate_limited');
  });

  test('survives rotations of the secret of the installation, which seals it, and goes with the account', async () => {
    const { code } = await addApp();
    const { rows } = await services.pool.query('select secret from second_factors where user_id = $1', [
      user.id,
    ]);
    for (let i = 0; i < 3; i++) {
      await withTransaction(services, sealAgain);
      await services.pool.query(
        'update installation set previous_secret = secret, secret = sha256(secret), rotated_at = now()',
      );
      // Each process reads the secret again when nothing that it knows fits, at most once a second.
      await vi.waitFor(async () => {
        clock.advance(MINUTE);
        expect(await codeOf(signIn(user.email, { code: code() }))).toBeNull();
      }, 10_000);
    }
    const after = await services.pool.query('select secret from second_factors where user_id = $1', [
      user.id,
    ]);
    expect(after.rows[0].secret.equals(rows[0].secret)).toBe(false);
    await withTransaction(services, (ctx) => eraseIdentity(ctx, [user.id]));
    for (const table of ['second_factors', 'recovery_codes', 'passkeys', 'sign_in_challenges'])
      expect((await services.pool.query(`select from ${table} where user_id = $1`, [user.id])).rows).toEqual(
        [],
      );
  });
});

describe('a passkey', () => {
  const device = () => createAuthenticator(gateway.url);
  const optionsOf = async (name: string, as: string | null = token) => (await ok(name, {}, as)).options;

  async function addPasskey(authenticator = device()) {
    const response = authenticator.create(await optionsOf('signIn.startPasskey'));
    await ok('signIn.addPasskey', { name: 'Laptop', response });
    return authenticator;
  }
  const signInBy = (response: object, over: object = {}) =>
    rpc('sessions.signInWithPasskey', { response, name: 'Laptop', ...over }, null);

  test('signs in without a password, also where a second factor is on, and each answer works once', async () => {
    const authenticator = await addPasskey();
    await addApp();
    const response = authenticator.get(await optionsOf('sessions.startPasskey', null));
    const opened = await signInBy(response);
    expect(opened.code, opened.text).toBeNull();
    expect(opened.data).toMatchObject({ signed_in_by: 'passkey', user: { id: user.id } });
    expect((await signInBy(response)).code).toBe('challenge_expired');
    const { passkeys } = await ok('signIn.get');
    expect(passkeys).toMatchObject([{ name: 'Laptop', last_used_at: expect.any(String) }]);
  });

  test('stays with a new password, which lists it, unless it is removed too', async () => {
    await addPasskey();
    const change = async (from: string, to: string, over: object = {}) => {
      const body = { current_password: from, new_password: to, ...over };
      return (await gateway.request('PUT /v1/me/password', { token, body })).body.data;
    };
    expect((await change(PASSWORD, `${PASSWORD} 2`)).passkeys).toMatchObject([{ name: 'Laptop' }]);
    const removed = await change(`${PASSWORD} 2`, `${PASSWORD} 3`, { remove_passkeys: true });
    expect(removed).toMatchObject({ object: 'password_changed', passkeys: [] });
    expect((await ok('signIn.get')).passkeys).toEqual([]);
    expect(await auditOf('user.password_changed')).toMatchObject([{}, { passkeys_removed: 1 }]);
  });

  test('is refused for another page, another host, without a verified person, and after it was removed', async () => {
    const authenticator = await addPasskey();
    const other = createAuthenticator(gateway.url);
    for (const make of [
      (options: { challenge: string }) => authenticator.get(options, { origin: 'https://evil.example' }),
      (options: { challenge: string }) => authenticator.get(options, { rpId: 'evil.example' }),
      (options: { challenge: string }) => authenticator.get(options, { isVerified: false }),
      (options: { challenge: string }) => ({ ...other.get(options), id: authenticator.get(options)['id'] }),
      (options: { challenge: string }) => other.get(options),
      () => ({}),
      () => ({ id: authenticator.get({ challenge: '' })['id'], response: { clientDataJSON: 'x' } }),
    ])
      expect((await signInBy(make(await optionsOf('sessions.startPasskey', null)))).code).toBe(
        'invalid_credentials',
      );
    const { passkeys } = await ok('signIn.get');
    await ok('signIn.renamePasskey', { id: passkeys[0].id, name: 'Work laptop' });
    await ok('signIn.removePasskey', { id: passkeys[0].id });
    expect((await rpc('signIn.removePasskey', { id: passkeys[0].id })).code).toBe('resource_not_found');
    const response = authenticator.get(await optionsOf('sessions.startPasskey', null));
    expect((await signInBy(response)).code).toBe('invalid_credentials');
    expect(await auditOf('user.passkey_removed')).toHaveLength(1);
  });

  test('is added by the account that asked for it, once, and not from another page', async () => {
    const authenticator = device();
    const add = (response: object, as = token) => rpc('signIn.addPasskey', { name: 'Laptop', response }, as);
    const options = await optionsOf('signIn.startPasskey');
    const stranger = await createUserWithPassword(gateway);
    const theirs = (await signIn(stranger.user.email)).body.data.token;
    expect((await add(authenticator.create(options), theirs)).code).toBe('validation_failed');
    expect((await add(authenticator.create(options, { origin: 'https://evil.example' }))).code).toBe(
      'validation_failed',
    );
    expect((await add({}))?.code).toBe('validation_failed');
    expect((await add(authenticator.create(options))).code).toBeNull();
    expect((await add(authenticator.create(options))).code).toBe('challenge_expired');
    const again = authenticator.create(await optionsOf('signIn.startPasskey'));
    expect((await add(again)).code).toBe('validation_failed');
  });

  test('makes a session fresh, unless it is another account’s', async () => {
    const authenticator = await addPasskey();
    clock.advance(5 * MINUTE);
    const stranger = await createUserWithPassword(gateway);
    const theirs = (await signIn(stranger.user.email)).body.data.token;
    const assertion = async () => authenticator.get(await optionsOf('sessions.startPasskey', null));
    expect((await rpc('sessions.confirm', { passkey: await assertion() }, theirs)).code).toBe(
      'invalid_credentials',
    );
    await ok('sessions.confirm', { passkey: await assertion() });
    await ok('signIn.startSecondFactor');
  });

  test('asks an account of several firms to choose, and takes the same answer again with the choice', async () => {
    const authenticator = await addPasskey();
    const second = await createUserWithPassword(gateway);
    await services.pool.query(
      `insert into memberships (workspace_id, user_id, role, created_at) values ($1, $2, 'admin', now())`,
      [second.firm.id, user.id],
    );
    const response = authenticator.get(await optionsOf('sessions.startPasskey', null));
    expect((await signInBy(response)).code).toBe('validation_failed');
    expect((await signInBy(response, { workspace: firm.slug })).code).toBeNull();
  });
});
