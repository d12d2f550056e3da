import { randomBytes, randomUUID } from 'node:crypto';
import { createToken, createUser, createWorkspace } from '@firmdesk/testing';
import {
  type Answer,
  commonCases,
  createUserWithPassword,
  openTestGateway,
  PASSWORD,
  signInAt,
  suiteGateway,
  type TestGateway,
} from '@firmdesk/testing/gateway';
import { describe, expect, inject, test } from 'vitest';

const SIGN_IN = 'POST /v1/sessions';
const DAY_MS = 86_400_000;
const gateway = await suiteGateway();
const otherNode = await gateway.secondNode();

const signIn = signInAt(gateway);
const ping = (token: string, node: Pick<TestGateway, 'request'> = gateway) =>
  node.request('GET /v1/ping', { token });
const codeOf = ({ body }: Answer): string | undefined => body.error?.code;
const tokenOf = async (email: string): Promise<string> => (await signIn(email)).body.data.token;

async function registerPhone(token: string): Promise<void> {
  const body = { app: 'mail', environment: 'production', token: randomBytes(32).toString('hex') };
  expect((await gateway.request('POST /v1/me/devices', { token, body })).status).toBe(201);
}

async function phonesOf(userId: string): Promise<number> {
  const { rows } = await gateway.services.pool.query(
    'select count(*)::int as n from devices d join tokens t on t.id = d.token_id where t.user_id = $1',
    [userId],
  );
  return rows[0].n;
}

commonCases(gateway, 'GET /v1/me/sessions', async () => ({}));
commonCases(gateway, 'DELETE /v1/me/session', async () => ({}));
commonCases(gateway, 'GET /v1/ping', async () => ({}));
commonCases(gateway, 'DELETE /v1/me/sessions/{id}', async (actors) => {
  const token = { user: actors.admin, workspace: actors.firm.slug, kind: 'device' as const };
  return { params: { id: (await createToken(gateway.services, token)).id } };
});

describe('the sessions of an account', () => {
  test('are listed most recently used first, without ended ones and those of other accounts', async () => {
    const { firm, user } = await createUserWithPassword(gateway);
    const one = (await signIn(user.email, { name: 'One' })).body.data;
    gateway.clock.advance(1000);
    const two = (await signIn(user.email, { name: 'Two' })).body.data;
    const three = (await signIn(user.email)).body.data;
    await createToken(gateway.services, { user, workspace: firm.slug });
    await createToken(gateway.services, {
      user,
      workspace: firm.slug,
      kind: 'device',
      expiresAt: gateway.clock.now(),
    });
    await tokenOf((await createUserWithPassword(gateway)).user.email);
    await gateway.request('DELETE /v1/me/session', { token: three.token });
    gateway.clock.advance(1000);
    const listed = await gateway.request('GET /v1/me/sessions', { token: one.token });
    const entry = { object: 'session', expires_at: null, signed_in_by: 'password' };
    expect(listed.body.data).toEqual([
      {
        ...entry,
        id: one.id,
        name: 'One',
        created_at: one.created_at,
        last_used_at: gateway.clock.now().toISOString(),
        current: true,
      },
      { ...entry, id: two.id, name: 'Two', created_at: two.created_at, last_used_at: null, current: false },
    ]);
  });

  test('are ended by id, immediately on every node, with their push registrations', async () => {
    const { user } = await createUserWithPassword(gateway);
    const [mine, lost] = [await tokenOf(user.email), (await signIn(user.email)).body.data];
    await registerPhone(mine);
    await registerPhone(lost.token);
    const end = () => gateway.request(`DELETE /v1/me/sessions/${lost.id}`, { token: mine });
    const answer = await end();
    expect([answer.status, answer.body.data]).toEqual([200, { object: 'session_ended', id: lost.id }]);
    expect(codeOf(await ping(lost.token))).toBe('revoked_token');
    expect(codeOf(await ping(lost.token, otherNode))).toBe('revoked_token');
    expect(await phonesOf(user.id)).toBe(1);
    expect(codeOf(await end())).toBe('resource_not_found');
    expect((await ping(mine)).status).toBe(200);
  });

  test('another account’s session, an API key and a malformed id look like nonexistent ones', async () => {
    const { firm, user } = await createUserWithPassword(gateway);
    const mine = await tokenOf(user.email);
    const other = (await signIn((await createUserWithPassword(gateway)).user.email)).body.data;
    const key = await createToken(gateway.services, { user, workspace: firm.slug });
    const answers = [];
    for (const id of [
      other.id,
      key.id,
      'key_00000000000000000000000000',
      'x',
      '12',
      '%20',
      '%00',
      "'",
      '__proto__',
    ]) {
      const { status, body } = await gateway.request(`DELETE /v1/me/sessions/${id}`, { token: mine });
      answers.push([status, body.error]);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]![0]).toBe(404);
    expect((await ping(other.token)).status).toBe(200);
    expect((await ping(key.text)).status).toBe(200);
  });

  test('signing out revokes the calling token of any kind, immediately on every node', async () => {
    const { firm, user } = await createUserWithPassword(gateway);
    const device = await tokenOf(user.email);
    await registerPhone(device);
    const { text: key } = await createToken(gateway.services, { user, workspace: firm.slug, scopes: [] });
    for (const token of [device, key]) {
      expect((await gateway.request('DELETE /v1/me/session', { token })).status).toBe(200);
      expect(codeOf(await ping(token))).toBe('revoked_token');
      expect(codeOf(await ping(token, otherNode))).toBe('revoked_token');
      expect(codeOf(await gateway.request('DELETE /v1/me/session', { token }))).toBe('revoked_token');
    }
    expect(await phonesOf(user.id)).toBe(0);
  });
});

describe('a password change', () => {
  const NEW = 'a better password';
  const change = (token: string, over: object = {}) =>
    gateway.request('PUT /v1/me/password', {
      token,
      body: { current_password: PASSWORD, new_password: NEW, ...over },
    });

  test('signs out all other devices and removes their push registrations; API keys and the caller stay', async () => {
    const { firm, user } = await createUserWithPassword(gateway);
    const [mine, ...others] = await Promise.all([1, 2, 3].map(() => tokenOf(user.email)));
    const { text: key } = await createToken(gateway.services, { user, workspace: firm.slug });
    for (const token of [mine!, ...others]) await registerPhone(token);
    const otherAccount = await tokenOf((await createUserWithPassword(gateway)).user.email);
    const answer = await change(mine!);
    expect(answer.body.data).toEqual({ object: 'password_changed', signed_out: 2, passkeys: [] });
    for (const token of others) {
      expect(codeOf(await ping(token))).toBe('revoked_token');
      expect(codeOf(await ping(token, otherNode))).toBe('revoked_token');
    }
    for (const token of [mine!, key, otherAccount]) expect((await ping(token)).status).toBe(200);
    expect(await phonesOf(user.id)).toBe(1);
    expect(codeOf(await signIn(user.email))).toBe('invalid_credentials');
    expect((await signIn(user.email, { password: NEW })).status).toBe(201);
  });

  test('requires the current password, and a new one of 10 to 1,024 characters', async () => {
    const { user } = await createUserWithPassword(gateway);
    const [mine, other] = [await tokenOf(user.email), await tokenOf(user.email)];
    const invalid: [object, string][] = [
      [{ current_password: 'wrong' }, 'current_password'],
      [{ new_password: 'x'.repeat(9) }, 'new_password'],
      [{ new_password: 'x'.repeat(1025) }, 'new_password'],
    ];
    for (const [over, path] of invalid) {
      const answer = await change(mine, over);
      expect([answer.status, answer.body.error.fields[0].path]).toEqual([422, path]);
      expect(answer.text).not.toContain('xxxx');
    }
    expect((await ping(other)).status).toBe(200);
    expect((await change(mine, { new_password: 'x'.repeat(10) })).status).toBe(200);
  });

  test('ends the sessions of concurrent sign-ins with the old password', async () => {
    const { user } = await createUserWithPassword(gateway);
    const mine = await tokenOf(user.email);
    const [changed, ...signed] = await Promise.all([
      change(mine),
      ...Array.from({ length: 6 }, () => signIn(user.email)),
    ]);
    expect(changed.status).toBe(200);
    for (const answer of signed) {
      if (answer.status === 401) continue;
      expect(codeOf(await ping(answer.body.data.token))).toBe('revoked_token');
    }
  });
});

describe('a token', () => {
  const pingAfter = async (milliseconds: number, token: string) => {
    gateway.clock.advance(milliseconds);
    return ping(token);
  };
  const usesOf = async (id: string): Promise<string | null> => {
    const { rows } = await gateway.services.pool.query('select last_used_at from tokens where id = $1', [id]);
    return rows[0].last_used_at;
  };

  test('expires after ninety days without use; each use restarts the period', async () => {
    const { firm, user } = await createUserWithPassword(gateway);
    const { text } = await createToken(gateway.services, { user, workspace: firm.slug });
    expect((await pingAfter(90 * DAY_MS - 1, text)).status).toBe(200);
    expect((await pingAfter(90 * DAY_MS - 1, text)).status).toBe(200);
    const late = await pingAfter(90 * DAY_MS, text);
    expect([late.status, codeOf(late)]).toEqual([401, 'expired_token']);
    expect(codeOf(await ping(text))).toBe('expired_token');
  });

  test('expires at expires_at, whether used or not', async () => {
    const { firm, user } = await createUserWithPassword(gateway);
    const expiresAt = new Date(gateway.clock.now().getTime() + DAY_MS);
    const { text } = await createToken(gateway.services, { user, workspace: firm.slug, expiresAt });
    expect((await pingAfter(DAY_MS - 1, text)).status).toBe(200);
    expect(codeOf(await pingAfter(1, text))).toBe('expired_token');
  });

  test('updates last_used_at at most once a minute, also for failed calls, and never backwards', async () => {
    const { firm, user } = await createUserWithPassword(gateway);
    const { id, text } = await createToken(gateway.services, { user, workspace: firm.slug });
    expect(await usesOf(id)).toBe(null);
    await ping(text);
    const first = gateway.clock.now().toISOString();
    expect(await usesOf(id)).toBe(first);
    await pingAfter(59_999, text);
    expect(await usesOf(id)).toBe(first);
    gateway.clock.advance(1);
    await Promise.all(Array.from({ length: 20 }, (_, i) => ping(text, i % 2 ? gateway : otherNode)));
    expect(await usesOf(id)).toBe(gateway.clock.now().toISOString());
  });

  test('has its own rate limit, if one is configured', async () => {
    await using limited = await openTestGateway(inject('postgresUrl'), { rateLimitPerMinute: 3 });
    const firm = await createWorkspace(limited.services);
    const user = await createUser(limited.services, { firm });
    const create = async () => (await createToken(limited.services, { user, workspace: firm.slug })).text;
    const [one, two] = [await create(), await create()];
    const ask = (token: string) => limited.request('GET /v1/ping', { token });
    for (const left of ['2', '1', '0']) {
      const { status, headers } = await ask(one);
      expect([status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual([
        200,
        '3',
        left,
      ]);
    }
    const refused = await ask(one);
    expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    expect((await limited.rpc('ping', { token: one })).code).toBe('rate_limited');
    expect((await ask(two)).status).toBe(200);
  });

  test('is the same for repeated sign-ins with one idempotency key', async () => {
    const { user } = await createUserWithPassword(gateway);
    const sent = { key: randomUUID(), body: { email: user.email, password: PASSWORD } };
    const answers = await Promise.all(
      [gateway, otherNode, gateway, otherNode].map((node) => node.request(SIGN_IN, sent)),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const { rows } = await gateway.services.pool.query('select from tokens where user_id = $1', [user.id]);
    expect(rows).toHaveLength(1);
  });
});
