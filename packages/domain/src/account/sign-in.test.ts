import { MAX_SESSIONS, permissions, scopes } from '@firmdesk/contract';
import {
  createStaff,
  createToken,
  createUser,
  createWorkspace,
  deleteUser,
  dismiss,
} from '@firmdesk/testing';
import {
  type Answer,
  commonCases,
  createUserWithPassword,
  openTestGateway,
  PASSWORD,
  signInAt,
  suiteGateway,
} from '@firmdesk/testing/gateway';
import { describe, expect, inject, test } from 'vitest';

const SIGN_IN = 'POST /v1/sessions';
const gateway = await suiteGateway();

const signIn = signInAt(gateway);
const ping = (token: string) => gateway.request('GET /v1/ping', { token });
const codeOf = ({ body }: Answer): string | undefined => body.error?.code;
const tokenOf = async (email: string): Promise<string> => (await signIn(email)).body.data.token;
const cookieOf = (answer: Answer) => answer.headers.get('set-cookie')!.split(';')[0]!;

async function withPassword() {
  const { user } = await createUserWithPassword(gateway);
  return {
    body: { email: user.email, password: PASSWORD, workspace: undefined, name: 'Phone', cookie: false },
  };
}
commonCases(gateway, SIGN_IN, withPassword);

describe('signing in', () => {
  test('ends the session that was not used for longest, if the account has 500 in the firm', async () => {
    const { firm, user } = await createUserWithPassword(gateway);
    const { services, clock } = gateway;
    const key = await createToken(services, { user, workspace: firm.slug });
    const oldest = await tokenOf(user.email);
    await services.pool.query(
      `insert into tokens (id, user_id, workspace_id, kind, environment, secret_hash, scopes, created_at)
       select 'tok_' || n || id, user_id, workspace_id, kind, environment, sha256(n::text::bytea), scopes, created_at + interval '1 s'
       from tokens, generate_series(3, $2) n where user_id = $1 and kind = 'device'`,
      [user.id, MAX_SESSIONS],
    );
    clock.advance(2_000);
    const used = await tokenOf(user.email);
    await tokenOf(user.email);
    expect(codeOf(await ping(oldest))).toBe('revoked_token');
    for (const token of [used, key.text]) expect((await ping(token)).status).toBe(200);
  });

  test('returns a new token and its scopes', async () => {
    const { firm, user } = await createUserWithPassword(gateway, { permissions: [...permissions] });
    const answer = await signIn(user.email, { name: 'Phone' });
    expect(answer.status).toBe(201);
    const { token, id, device, scopes: held, ...data } = answer.body.data;
    expect(device).toMatch(/^fdd_[\w-]{65}$/);
    expect(data).toEqual({
      object: 'session',
      name: 'Phone',
      signed_in_by: 'password',
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

  test('matches the email case-insensitively', async () => {
    const { user } = await createUserWithPassword(gateway);
    expect((await signIn(user.email.toUpperCase())).status).toBe(201);
  });

  test('gives a trader’s device no administrative scopes', async () => {
    const { user } = await createUserWithPassword(gateway, { role: 'trader' });
    const { scopes: held } = (await signIn(user.email)).body.data;
    expect(held.length).toBeGreaterThan(0);
    expect(held.filter((scope: string) => /admin|affiliates|platform/.test(scope))).toEqual([]);
  });

  test('signs staff in to the platform', async () => {
    const staff = await createStaff(gateway.services, 'all');
    const { pool } = gateway.services;
    const { user } = await createUserWithPassword(gateway);
    await pool.query(
      'update users set password_hash = (select password_hash from users where id = $1) where id = $2',
      [user.id, staff.id],
    );
    expect((await signIn(staff.email)).body.data.tenant).toEqual({ name: 'Platform', slug: 'platform' });
  });

  test('returns the same error for a wrong password and for unknown, passwordless, deleted and dismissed accounts', async () => {
    const [wrong, without, deleted, dismissed] = await Promise.all([
      createUserWithPassword(gateway),
      createWorkspace(gateway.services).then((firm) => createUser(gateway.services, { firm })),
      createUserWithPassword(gateway),
      createUserWithPassword(gateway),
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

  test('requires an account of several workspaces to name one; lists them only if the password is correct', async () => {
    const { firm, user } = await createUserWithPassword(gateway);
    const other = await createUserWithPassword(gateway);
    await gateway.services.pool.query(
      `insert into memberships (workspace_id, user_id, role, created_at) values ($1, $2, 'trader', now())`,
      [other.firm.id, user.id],
    );
    const unnamed = await signIn(user.email);
    expect([unnamed.status, codeOf(unnamed)]).toEqual([422, 'validation_failed']);
    expect(unnamed.body.error.fields).toMatchObject([
      {
        path: 'workspace',
        choices: [firm, other.firm]
          .sort((a, b) => (a.slug < b.slug ? -1 : 1))
          .map(({ slug, name }) => ({ value: slug, name })),
      },
    ]);
    for (const slug of [firm.slug, other.firm.slug]) {
      expect(unnamed.text).toContain(slug);
      expect((await signIn(user.email, { workspace: slug })).body.data.tenant.slug).toBe(slug);
    }
    expect((await signIn(user.email, { password: 'another' })).text).not.toContain(firm.slug);
  });

  test('uses the password unchanged, up to 1,024 characters', async () => {
    const { user } = await createUserWithPassword(gateway, { password: '  pass wörd 👩‍🚀 ' });
    expect((await signIn(user.email, { password: '  pass wörd 👩‍🚀 ' })).status).toBe(201);
    expect(codeOf(await signIn(user.email, { password: 'pass wörd 👩‍🚀' }))).toBe('invalid_credentials');
    expect(codeOf(await signIn(user.email, { password: 'x'.repeat(1024) }))).toBe('invalid_credentials');
    expect((await signIn(user.email, { password: 'x'.repeat(1025) })).status).toBe(422);
  });

  test('is limited by account and by IP address, with Retry-After', async () => {
    await using limited = await openTestGateway(inject('postgresUrl'), { limitsSignIns: true });
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

  test('many concurrent sign-ins leave connections for other calls', async () => {
    const { user } = await createUserWithPassword(gateway);
    const token = await tokenOf(user.email);
    const holder = await gateway.services.pool.connect();
    await holder.query('begin');
    await holder.query(`select pg_advisory_xact_lock(hashtextextended('account ' || $1, 0))`, [user.id]);
    // Three wait for the lock on the account, the others in the queue.
    const signIns = Promise.all(Array.from({ length: 20 }, () => signIn(user.email)));
    const { pool } = gateway.services;
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(4);
    expect((await ping(token)).status).toBe(200);
    expect(pool.waitingCount).toBe(0);
    await holder.query('rollback');
    holder.release();
    expect(new Set((await signIns).map(({ status }) => status))).toEqual(new Set([201]));
  });
});

describe('the console’s cookie', () => {
  async function signedIn() {
    const { firm, user } = await createUserWithPassword(gateway);
    const answer = await gateway.rpc('sessions.signIn', {
      body: { email: user.email, password: PASSWORD, cookie: true },
    });
    expect(answer.data.token).toBe(null);
    return { cookie: cookieOf(answer), workspace: firm.slug, answer };
  }

  test('is HttpOnly and SameSite=Strict, and its token is in no response body', async () => {
    const { cookie, workspace, answer } = await signedIn();
    expect(answer.headers.get('set-cookie')).toMatch(
      new RegExp(
        `^firmdesk_session_${workspace}=fd_live_\\w+; Path=/; Max-Age=34560000; HttpOnly; SameSite=Strict$`,
      ),
    );
    expect(answer.text).not.toContain(cookie.split('=')[1]!);
    const { user, firm } = await createUserWithPassword(gateway);
    const rest = await signIn(user.email, { cookie: true });
    expect(rest.body.data.token).toBe(null);
    expect(cookieOf(rest).startsWith(`firmdesk_session_${firm.slug}=fd_live_`)).toBe(true);
  });

  test('is Secure over HTTPS', async () => {
    await using secure = await openTestGateway(inject('postgresUrl'), { secureCookies: true });
    const firm = await createWorkspace(secure.services);
    const { email } = await createUser(secure.services, { firm, password: PASSWORD });
    const answer = await secure.request(SIGN_IN, { body: { email, password: PASSWORD, cookie: true } });
    expect(answer.headers.get('set-cookie')).toMatch(/; Secure$/);
  });

  test('over HTTPS, a cookie that another host of the domain could have set is ignored', async () => {
    await using secure = await openTestGateway(inject('postgresUrl'), { secureCookies: true });
    const firm = await createWorkspace(secure.services);
    const [victim, attacker] = [
      await createUser(secure.services, { firm, password: PASSWORD }),
      await createUser(secure.services, { firm, password: PASSWORD }),
    ];
    const body = { email: victim.email, password: PASSWORD, cookie: true };
    const own = cookieOf(await secure.request(SIGN_IN, { body }));
    const { text } = await createToken(secure.services, {
      user: attacker,
      workspace: firm.slug,
      kind: 'device',
    });
    // Browsers send the cookie of the longer path first: `Domain=example.com; Path=/trpc`.
    const headers = { cookie: `firmdesk_session_${firm.slug}=${text}; ${own}` };
    const account = await secure.rpc('account.get', { workspace: firm.slug, headers });
    expect(account.data.user.email).toBe(victim.email);
  });

  test('is only accepted from pages of the same origin', async () => {
    const { cookie, workspace } = await signedIn();
    const list = (headers: Record<string, string>) => gateway.rpc('sessions.list', { workspace, headers });
    const signOut = (headers: Record<string, string>) =>
      gateway.rpc('sessions.signOut', { workspace, headers });
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

  test('is only accepted on /trpc, not on /v1', async () => {
    const { cookie, workspace } = await signedIn();
    const headers = { cookie, origin: new URL(gateway.url).origin };
    expect(codeOf(await gateway.request('GET /v1/ping', { workspace, headers }))).toBe('invalid_token');
  });

  test('is ignored if a bearer token is sent too', async () => {
    const { cookie, workspace } = await signedIn();
    const answer = await gateway.rpc('sessions.list', {
      token: 'fd_live_wrong',
      workspace,
      headers: { cookie },
    });
    expect(answer.code).toBe('invalid_token');
  });

  test('is cleared by signing out', async () => {
    const { cookie, workspace } = await signedIn();
    const headers = { cookie: `other=1; ${cookie}; third=2`, origin: new URL(gateway.url).origin };
    const out = await gateway.rpc('sessions.signOut', { workspace, headers });
    expect(out.headers.get('set-cookie')).toMatch(
      new RegExp(`^firmdesk_session_${workspace}=; Path=/; Max-Age=0; HttpOnly`),
    );
    expect((await gateway.rpc('sessions.list', { workspace, headers })).code).toBe('revoked_token');
  });
});
