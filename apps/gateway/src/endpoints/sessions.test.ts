import { randomBytes, randomUUID } from 'node:crypto';
import { permissions, scopes } from '@firmdesk/contract';
import {
  deleteUser,
  dismiss,
  type MintUser,
  mintFirm,
  mintStaff,
  mintToken,
  mintUser,
} from '@firmdesk/domain/testing';
import { describe, expect, inject, test } from 'vitest';
import { commonCases } from '../testing/common-cases.ts';
import { suiteGateway } from '../testing/suite-gateway.ts';
import { type Answer, openTestGateway, type TestGateway } from '../testing/test-gateway.ts';

const SIGN_IN = 'POST /v1/sessions';
const PASSWORD = 'correct horse battery';
const DAY_MS = 86_400_000;
const gateway = await suiteGateway();
const twin = await gateway.twin();

async function someone(over: Omit<Partial<MintUser>, 'firm'> = {}) {
  const firm = await mintFirm(gateway.services);
  const user = await mintUser(gateway.services, { firm, password: PASSWORD, ...over });
  return { firm, user };
}

const signIn = (email: string, over: Record<string, unknown> = {}) =>
  gateway.request(SIGN_IN, { body: { email, password: PASSWORD, ...over } });
const ping = (token: string, node: Pick<TestGateway, 'request'> = gateway) =>
  node.request('GET /v1/ping', { token });
const codeOf = ({ body }: Answer): string | undefined => body.error?.code;
const tokenOf = async (email: string): Promise<string> => (await signIn(email)).body.data.token;
const cookieOf = (answer: Answer) => answer.headers.get('set-cookie')!.split(';')[0]!;

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

async function withPassword() {
  const { user } = await someone();
  return {
    body: { email: user.email, password: PASSWORD, workspace: undefined, name: 'Phone', cookie: false },
  };
}
commonCases(() => gateway, SIGN_IN, withPassword);
commonCases(
  () => gateway,
  'GET /v1/me/sessions',
  async () => ({}),
);
commonCases(
  () => gateway,
  'DELETE /v1/me/session',
  async () => ({}),
);
commonCases(
  () => gateway,
  'GET /v1/ping',
  async () => ({}),
);
commonCases(
  () => gateway,
  'DELETE /v1/me/sessions/{id}',
  async (cast) => {
    const token = { user: cast.admin, workspace: cast.firm.slug, kind: 'device' as const };
    return { params: { id: (await mintToken(gateway.services, token)).id } };
  },
);

describe('signing in', () => {
  test('a device gets a token, shown once, and what it may do', async () => {
    const { firm, user } = await someone({ permissions: [...permissions] });
    const answer = await signIn(user.email, { name: 'Phone' });
    expect(answer.status).toBe(201);
    const { token, id, scopes: held, ...data } = answer.body.data;
    expect(data).toEqual({
      object: 'session',
      name: 'Phone',
      created_at: gateway.clock.now().toISOString(),
      last_used_at: null,
      expires_at: null,
      current: true,
      tenant: { name: firm.name, slug: firm.slug },
      user: { id: user.id, name: 'Robin Example', email: user.email, timezone: 'UTC', language: 'en' },
    });
    expect(token).toMatch(/^fd_live_[0-9a-z]{73}$/);
    expect(held).toEqual(scopes.filter((scope) => scope !== 'platform:write'));
    expect(answer.headers.get('set-cookie')).toBe(null);
    expect((await ping(token)).body.data).toMatchObject({ api_key: id, scopes: held });
  });

  test('the case of an address does not count', async () => {
    const { user } = await someone();
    expect((await signIn(user.email.toUpperCase())).status).toBe(201);
  });

  test('a trader’s device is given no administrative scope', async () => {
    const { user } = await someone({ role: 'trader' });
    const { scopes: held } = (await signIn(user.email)).body.data;
    expect(held.length).toBeGreaterThan(0);
    expect(held.filter((scope: string) => /admin|affiliates|platform/.test(scope))).toEqual([]);
  });

  test('the service’s own staff sign in to the platform', async () => {
    const staff = await mintStaff(gateway.services, 'all');
    const { pool } = gateway.services;
    const { user } = await someone();
    await pool.query(
      'update users set password_hash = (select password_hash from users where id = $1) where id = $2',
      [user.id, staff.id],
    );
    expect((await signIn(staff.email)).body.data.tenant).toEqual({ name: 'Platform', slug: 'platform' });
  });

  test('wrong password, unknown account, account without one, deleted, dismissed: one answer', async () => {
    const [wrong, without, deleted, dismissed] = await Promise.all([
      someone(),
      mintFirm(gateway.services).then((firm) => mintUser(gateway.services, { firm })),
      someone(),
      someone(),
    ]);
    await deleteUser(gateway.services, deleted.user);
    await dismiss(gateway.services, dismissed.user);
    const answers = [
      await signIn(wrong.user.email, { password: 'another' }),
      await signIn('nobody@example.com'),
      await signIn(without.email),
      await signIn(deleted.user.email),
      await signIn(dismissed.user.email),
      await signIn(wrong.user.email, { workspace: deleted.firm.slug }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.body.error).toEqual(answers[0]!.body.error);
      expect(answer.body.error.code).toBe('invalid_credentials');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('an account of several workspaces says which; only one who knows the password is told which there are', async () => {
    const { firm, user } = await someone();
    const other = await someone();
    await gateway.services.pool.query(
      `insert into memberships (workspace_id, user_id, role, created_at) values ($1, $2, 'trader', now())`,
      [other.firm.id, user.id],
    );
    const unsaid = await signIn(user.email);
    expect([unsaid.status, codeOf(unsaid)]).toEqual([422, 'validation_failed']);
    expect(unsaid.body.error.fields[0].path).toBe('workspace');
    for (const slug of [firm.slug, other.firm.slug]) {
      expect(unsaid.text).toContain(slug);
      expect((await signIn(user.email, { workspace: slug })).body.data.tenant.slug).toBe(slug);
    }
    expect((await signIn(user.email, { password: 'another' })).text).not.toContain(firm.slug);
  });

  test('a password is tried as it is, up to 1,024 characters', async () => {
    const { user } = await someone({ password: '  pass wörd 👩‍🚀 ' });
    expect((await signIn(user.email, { password: '  pass wörd 👩‍🚀 ' })).status).toBe(201);
    expect(codeOf(await signIn(user.email, { password: 'pass wörd 👩‍🚀' }))).toBe('invalid_credentials');
    expect(codeOf(await signIn(user.email, { password: 'x'.repeat(1024) }))).toBe('invalid_credentials');
    expect((await signIn(user.email, { password: 'x'.repeat(1025) })).status).toBe(422);
  });

  test('is limited, by account and by address, and says until when', async () => {
    await using limited = await openTestGateway(inject('postgresUrl'), { rateLimitPerMinute: 1000 });
    const attempt = (email: string) => limited.request(SIGN_IN, { body: { email, password: 'wrong' } });
    for (let i = 0; i < 10; i++) expect(codeOf(await attempt('a@example.com'))).toBe('invalid_credentials');
    const refused = await attempt('A@example.com');
    expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(codeOf(await attempt('b@example.com'))).toBe('invalid_credentials');
    const others = Array.from({ length: 60 }, (_, i) => attempt(`${i}@example.com`));
    const codes = (await Promise.all(others)).map(codeOf);
    expect(codes).toContain('rate_limited');
    expect(codes).toContain('invalid_credentials');
  });

  test('a rush of sign-ins leaves connections for other calls', async () => {
    const { user } = await someone();
    const token = await tokenOf(user.email);
    const holder = await gateway.services.pool.connect();
    await holder.query('begin');
    await holder.query('select from users where id = $1 for update', [user.id]);
    // Each waits for the account, in its transaction or for its turn.
    const rush = Promise.all(Array.from({ length: 20 }, () => signIn(user.email)));
    const { pool } = gateway.services;
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(4);
    expect((await ping(token)).status).toBe(200);
    expect(pool.waitingCount).toBe(0);
    await holder.query('rollback');
    holder.release();
    expect(new Set((await rush).map(({ status }) => status))).toEqual(new Set([201]));
  });
});

describe('the console’s cookie', () => {
  async function signedIn() {
    const { user } = await someone();
    const answer = await gateway.rpc('sessions.signIn', {
      body: { email: user.email, password: PASSWORD, cookie: true },
    });
    expect(answer.data.token).toBe(null);
    return { cookie: cookieOf(answer), answer };
  }
  const list = (headers: Record<string, string>) => gateway.rpc('sessions.list', { headers });
  const signOut = (headers: Record<string, string>) => gateway.rpc('sessions.signOut', { headers });

  test('is out of reach of scripts and of other sites, and its token is in no body', async () => {
    const { cookie, answer } = await signedIn();
    expect(answer.headers.get('set-cookie')).toMatch(
      /^firmdesk_session=fd_live_\w+; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.text).not.toContain(cookie.split('=')[1]!);
    const { user } = await someone();
    const rest = await signIn(user.email, { cookie: true });
    expect(rest.body.data.token).toBe(null);
    expect(cookieOf(rest)).toMatch(/^firmdesk_session=fd_live_/);
  });

  test('over https it does not travel otherwise', async () => {
    await using secure = await openTestGateway(inject('postgresUrl'), { secureCookies: true });
    const firm = await mintFirm(secure.services);
    const { email } = await mintUser(secure.services, { firm, password: PASSWORD });
    const answer = await secure.request(SIGN_IN, { body: { email, password: PASSWORD, cookie: true } });
    expect(answer.headers.get('set-cookie')).toMatch(/; Secure$/);
  });

  test('counts for a page of the same origin alone', async () => {
    const { cookie } = await signedIn();
    const { origin } = new URL(gateway.url);
    expect((await list({ cookie, origin })).status).toBe(200);
    expect((await list({ cookie })).status).toBe(200);
    expect((await list({ cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    for (const foreign of [
      'https://evil.example',
      'null',
      `${origin}.evil.example`,
      origin.replace(/\d+$/, '1'),
    ]) {
      expect((await list({ cookie, origin: foreign })).code).toBe('invalid_token');
      expect((await signOut({ cookie, origin: foreign })).code).toBe('invalid_token');
    }
    for (const site of ['cross-site', 'same-site']) {
      expect((await list({ cookie, 'sec-fetch-site': site })).code).toBe('invalid_token');
    }
    expect((await signOut({ cookie })).code).toBe('invalid_token');
    expect((await list({ cookie, origin })).status).toBe(200);
  });

  test('is for /trpc: /v1 does not look at it', async () => {
    const { cookie } = await signedIn();
    const headers = { cookie, origin: new URL(gateway.url).origin };
    expect(codeOf(await gateway.request('GET /v1/ping', { headers }))).toBe('invalid_token');
  });

  test('a bearer token that is sent beside it is the one that counts', async () => {
    const { cookie } = await signedIn();
    const answer = await gateway.rpc('sessions.list', { token: 'fd_live_wrong', headers: { cookie } });
    expect(answer.code).toBe('invalid_token');
  });

  test('ends with the sign-out', async () => {
    const { cookie } = await signedIn();
    const headers = { cookie: `other=1; ${cookie}; third=2`, origin: new URL(gateway.url).origin };
    const out = await signOut(headers);
    expect(out.headers.get('set-cookie')).toMatch(/^firmdesk_session=; Path=\/; Max-Age=0; HttpOnly/);
    expect((await list(headers)).code).toBe('revoked_token');
  });
});

describe('the sessions of an account', () => {
  test('are listed, most recently used first; ended and other people’s are not', async () => {
    const { firm, user } = await someone();
    const one = (await signIn(user.email, { name: 'One' })).body.data;
    gateway.clock.advance(1000);
    const two = (await signIn(user.email, { name: 'Two' })).body.data;
    const three = (await signIn(user.email)).body.data;
    await mintToken(gateway.services, { user, workspace: firm.slug });
    await mintToken(gateway.services, {
      user,
      workspace: firm.slug,
      kind: 'device',
      expiresAt: gateway.clock.now(),
    });
    await tokenOf((await someone()).user.email);
    await gateway.request('DELETE /v1/me/session', { token: three.token });
    gateway.clock.advance(1000);
    const listed = await gateway.request('GET /v1/me/sessions', { token: one.token });
    const entry = { object: 'session', expires_at: null };
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

  test('one is ended by its id, at once and on every node, with its phone', async () => {
    const { user } = await someone();
    const [mine, lost] = [await tokenOf(user.email), (await signIn(user.email)).body.data];
    await registerPhone(mine);
    await registerPhone(lost.token);
    const end = () => gateway.request(`DELETE /v1/me/sessions/${lost.id}`, { token: mine });
    const answer = await end();
    expect([answer.status, answer.body.data]).toEqual([200, { object: 'session_ended', id: lost.id }]);
    expect(codeOf(await ping(lost.token))).toBe('revoked_token');
    expect(codeOf(await ping(lost.token, twin))).toBe('revoked_token');
    expect(await phonesOf(user.id)).toBe(1);
    expect(codeOf(await end())).toBe('resource_not_found');
    expect((await ping(mine)).status).toBe(200);
  });

  test('another’s, an API key and what is no id look like one that does not exist', async () => {
    const { firm, user } = await someone();
    const mine = await tokenOf(user.email);
    const other = (await signIn((await someone()).user.email)).body.data;
    const key = await mintToken(gateway.services, { user, workspace: firm.slug });
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

  test('signing out ends the token that asks, whatever its kind, at once and on every node', async () => {
    const { firm, user } = await someone();
    const device = await tokenOf(user.email);
    await registerPhone(device);
    const { text: key } = await mintToken(gateway.services, { user, workspace: firm.slug, scopes: [] });
    for (const token of [device, key]) {
      expect((await gateway.request('DELETE /v1/me/session', { token })).status).toBe(200);
      expect(codeOf(await ping(token))).toBe('revoked_token');
      expect(codeOf(await ping(token, twin))).toBe('revoked_token');
      expect(codeOf(await gateway.request('DELETE /v1/me/session', { token }))).toBe('revoked_token');
    }
    expect(await phonesOf(user.id)).toBe(0);
  });
});

describe('a change of password', () => {
  const NEW = 'a better password';
  const change = (token: string, over: object = {}) =>
    gateway.request('PUT /v1/me/password', {
      token,
      body: { current_password: PASSWORD, new_password: NEW, ...over },
    });

  test('signs out all other devices and ends their phones; keys and the caller stay', async () => {
    const { firm, user } = await someone();
    const [mine, ...others] = await Promise.all([1, 2, 3].map(() => tokenOf(user.email)));
    const { text: key } = await mintToken(gateway.services, { user, workspace: firm.slug });
    for (const token of [mine!, ...others]) await registerPhone(token);
    const stranger = await tokenOf((await someone()).user.email);
    const answer = await change(mine!);
    expect(answer.body.data).toEqual({ object: 'password_changed', signed_out: 2 });
    for (const token of others) {
      expect(codeOf(await ping(token))).toBe('revoked_token');
      expect(codeOf(await ping(token, twin))).toBe('revoked_token');
    }
    for (const token of [mine!, key, stranger]) expect((await ping(token)).status).toBe(200);
    expect(await phonesOf(user.id)).toBe(1);
    expect(codeOf(await signIn(user.email))).toBe('invalid_credentials');
    expect((await signIn(user.email, { password: NEW })).status).toBe(201);
  });

  test('wants the current password, and a new one of 10 to 1,024 characters', async () => {
    const { user } = await someone();
    const [mine, other] = [await tokenOf(user.email), await tokenOf(user.email)];
    const refusals: [object, string][] = [
      [{ current_password: 'wrong' }, 'current_password'],
      [{ new_password: 'x'.repeat(9) }, 'new_password'],
      [{ new_password: 'x'.repeat(1025) }, 'new_password'],
    ];
    for (const [over, path] of refusals) {
      const answer = await change(mine, over);
      expect([answer.status, answer.body.error.fields[0].path]).toEqual([422, path]);
      expect(answer.text).not.toContain('xxxx');
    }
    expect((await ping(other)).status).toBe(200);
    expect((await change(mine, { new_password: 'x'.repeat(10) })).status).toBe(200);
  });

  test('a sign-in under way with the old password does not outlive it', async () => {
    const { user } = await someone();
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

  test('expires after ninety days without use, not before, and each use begins them anew', async () => {
    const { firm, user } = await someone();
    const { text } = await mintToken(gateway.services, { user, workspace: firm.slug });
    expect((await pingAfter(90 * DAY_MS - 1, text)).status).toBe(200);
    expect((await pingAfter(90 * DAY_MS - 1, text)).status).toBe(200);
    const late = await pingAfter(90 * DAY_MS, text);
    expect([late.status, codeOf(late)]).toEqual([401, 'expired_token']);
    expect(codeOf(await ping(text))).toBe('expired_token');
  });

  test('expires at its own moment, used or not', async () => {
    const { firm, user } = await someone();
    const expiresAt = new Date(gateway.clock.now().getTime() + DAY_MS);
    const { text } = await mintToken(gateway.services, { user, workspace: firm.slug, expiresAt });
    expect((await pingAfter(DAY_MS - 1, text)).status).toBe(200);
    expect(codeOf(await pingAfter(1, text))).toBe('expired_token');
  });

  test('its use is noted at most once a minute, refused calls included, and never backwards', async () => {
    const { firm, user } = await someone();
    const { id, text } = await mintToken(gateway.services, { user, workspace: firm.slug });
    expect(await usesOf(id)).toBe(null);
    await ping(text);
    const first = gateway.clock.now().toISOString();
    expect(await usesOf(id)).toBe(first);
    await pingAfter(59_999, text);
    expect(await usesOf(id)).toBe(first);
    gateway.clock.advance(1);
    await Promise.all(Array.from({ length: 20 }, (_, i) => ping(text, i % 2 ? gateway : twin)));
    expect(await usesOf(id)).toBe(gateway.clock.now().toISOString());
  });

  test('its calls are counted and bounded where a limit is set, each token for itself', async () => {
    await using limited = await openTestGateway(inject('postgresUrl'), { rateLimitPerMinute: 3 });
    const firm = await mintFirm(limited.services);
    const user = await mintUser(limited.services, { firm });
    const mint = async () => (await mintToken(limited.services, { user, workspace: firm.slug })).text;
    const [one, two] = [await mint(), await mint()];
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

  test('of an idempotent sign-in is the same one', async () => {
    const { user } = await someone();
    const sent = { key: randomUUID(), body: { email: user.email, password: PASSWORD } };
    const answers = await Promise.all(
      [gateway, twin, gateway, twin].map((node) => node.request(SIGN_IN, sent)),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const { rows } = await gateway.services.pool.query('select from tokens where user_id = $1', [user.id]);
    expect(rows).toHaveLength(1);
  });
});
