/** Single sign-on by a real OpenID provider. */
import { MAX_SIGN_IN_DOMAINS, permissions, SANDBOX_SUFFIX } from '@firmdesk/contract';
import {
  createToken,
  createUser,
  type OpenIdProvider,
  startDnsServer,
  startOpenIdProvider,
  unique,
} from '@firmdesk/testing';
import { createUserWithPassword, PASSWORD, signInAt, suiteGateway } from '@firmdesk/testing/gateway';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { sealAgain } from '../../access/sign-in/seal.ts';
import { withTransaction } from '../../platform/database/transaction.ts';

const MINUTE = 60_000;
const gateway = await suiteGateway();
const { services, clock } = gateway;
const records: Record<string, string> = {};
const dns = await startDnsServer(records);
const provider: OpenIdProvider = await startOpenIdProvider(`${gateway.url}/sign-in/provider`);
services.singleSignOn = { allowsPrivateProviders: true, dnsServers: [dns.address] };
afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  await dns[Symbol.asyncDispose]();
});

type Setup = Awaited<ReturnType<typeof createUserWithPassword>>;
let firm: Setup['firm'];
let user: Setup['user'];
let token: string;
let domain: string;

beforeEach(async () => {
  ({ firm, user } = await createUserWithPassword(gateway, { permissions: [...permissions] }));
  token = (await signInAt(gateway)(user.email)).body.data.token;
  domain = `${unique('firm')}.example`;
  provider.person = { sub: unique('sub'), email: `ada@${domain}`, email_verified: true };
  provider.answerOf = () => null;
});

const rpc = (name: string, body: object = {}, as: string | null = token) =>
  gateway.rpc(name, { token: as, body });
const ok = async (name: string, body: object = {}, as: string | null = token) => {
  const answer = await rpc(name, body, as);
  expect(answer.code, answer.text).toBeNull();
  return answer.data;
};
const settings = () => ({
  issuer: provider.issuer,
  client_id: provider.clientId,
  client_secret: provider.clientSecret,
});
/** Sets the firm up, with its domain and a member whose address is there. */
async function setUp() {
  await ok('singleSignOn.saveProvider', settings());
  await proveDomain();
  const member = await createUser(services, { firm, permissions: [...permissions] });
  await services.pool.query('update users set email = $2 where id = $1', [member.id, `ada@${domain}`]);
  return member;
}
async function proveDomain() {
  const { domains } = await ok('singleSignOn.addDomain', { domain });
  records[domains[0].record_name] = domains[0].record_text;
  await ok('singleSignOn.verifyDomain', { domain });
}
const start = (body: object = { email: `ada@${domain}` }) => ok('sessions.startProvider', body, null);
const finish = (query: string) => rpc('sessions.signInWithProvider', { query, name: 'Laptop' }, null);
async function signIn(body?: object) {
  const { url } = await start(body);
  return finish(await provider.signIn(url));
}

describe('a sign-in by the provider of a firm', () => {
  test('opens a session of the member with the verified address, found by the domain or by the firm', async () => {
    const member = await setUp();
    const opened = await signIn();
    expect(opened.code, opened.text).toBeNull();
    expect(opened.data).toMatchObject({
      signed_in_by: 'provider',
      user: { id: member.id },
      tenant: { slug: firm.slug },
    });
    const { rows } = await services.pool.query(
      `select action from audit_events where target_id = $1 and action like 'user.%in%' order by id`,
      [member.id],
    );
    expect(rows.map(({ action }) => action)).toEqual(['user.provider_linked', 'user.signed_in']);
    // Linked by the account at the provider: its address no longer matters.
    provider.person = { ...provider.person, email: 'other@elsewhere.example', email_verified: false };
    expect((await signIn({ workspace: firm.slug })).data).toMatchObject({ user: { id: member.id } });
  });

  test('asks for PKCE, a nonce and a state, and sends the secret in no address', async () => {
    await setUp();
    const { url, state } = await start();
    const asked = new URL(url).searchParams;
    expect(asked.get('state')).toBe(state);
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('nonce')).toMatch(/^[\w-]{43}$/);
    expect(asked.get('response_type')).toBe('code');
    expect(url).not.toContain(provider.clientSecret);
  });

  test('survives new keys of the provider, and refuses keys that are not its', async () => {
    await setUp();
    expect((await signIn()).code).toBeNull();
    await provider.rotateKeys();
    expect((await signIn()).code).toBeNull();
    const jwks = await (await fetch(`${provider.issuer}/jwks`)).text();
    await provider.rotateKeys();
    provider.answerOf = (path) => (path === '/jwks' ? jwks : null);
    expect((await signIn()).code).toBe('provider_failed');
  });

  test('takes each answer once, for the browser that asked, and for a quarter of an hour', async () => {
    await setUp();
    const [one, two] = [await start(), await start()];
    const [first, second] = [await provider.signIn(one.url), await provider.signIn(two.url)];
    const mixed = new URLSearchParams(second);
    mixed.set('state', one.state);
    // The code of one sign-in in the answer to another: its nonce and verifier are others.
    expect((await finish(mixed.toString())).code).toBe('provider_failed');
    expect((await finish(first)).code).toBe('challenge_expired');
    expect((await finish(second)).code).toBeNull();
    expect((await finish(second)).code).toBe('challenge_expired');
    const late = await provider.signIn((await start()).url);
    clock.advance(15 * MINUTE);
    expect((await finish(late)).code).toBe('challenge_expired');
    for (const query of ['x', 'state=', `state=${'x'.repeat(43)}&code=1`])
      expect((await finish(query)).code).toBe('challenge_expired');
    const refused = await start();
    expect((await finish(`state=${refused.state}&error=access_denied`)).code).toBe('provider_failed');
  });

  test('links nobody without a verified address, at a domain of the firm, of a member', async () => {
    const member = await setUp();
    provider.person = { ...provider.person, email_verified: false };
    expect((await signIn()).code).toBe('invalid_credentials');
    provider.person = { ...provider.person, email: `nobody@${domain}`, email_verified: true };
    expect((await signIn()).code).toBe('invalid_credentials');
    await services.pool.query('update users set email = $2 where id = $1', [member.id, 'ada@other.example']);
    provider.person = { ...provider.person, email: 'ada@other.example' };
    expect((await signIn()).code).toBe('invalid_credentials');
    await services.pool.query('update users set email = $2 where id = $1', [member.id, `ada@${domain}`]);
    await services.pool.query('update memberships set active = false where user_id = $1', [member.id]);
    provider.person = { ...provider.person, email: `ada@${domain}` };
    expect((await signIn()).code).toBe('invalid_credentials');
  });

  test('lets an invited person in at a domain of the firm, without a password, and nobody else', async () => {
    await setUp();
    const invite = (email: string) => ok('firm.invites.create', { email, permissions: ['view_tickets'] });
    await invite(`new@${domain}`);
    await invite('guest@elsewhere.example');
    const as = (email: string) => {
      provider.person = { sub: unique('sub'), email, email_verified: true };
      return signIn({ workspace: firm.slug });
    };
    expect((await as('guest@elsewhere.example')).code).toBe('invalid_credentials');
    expect((await as(`other@${domain}`)).code).toBe('invalid_credentials');
    const opened = await as(`new@${domain}`);
    expect(opened.code, opened.text).toBeNull();
    expect(opened.data).toMatchObject({ tenant: { slug: firm.slug }, user: { email: `new@${domain}` } });
    const { rows } = await services.pool.query(
      `select state from invites where workspace_id = $1 and email like 'new@%'`,
      [firm.id],
    );
    expect(rows).toEqual([{ state: 'accepted' }]);
  });

  test('takes an account over from whoever made it in the name of the person', async () => {
    const member = await setUp();
    const planted = await createUserWithPassword(gateway);
    const invited = { id: planted.user.id, email: `new@${domain}` };
    await services.pool.query('update users set email = $2 where id = $1', [invited.id, invited.email]);
    await ok('firm.invites.create', { email: invited.email, permissions: [] });
    for (const { id, email } of [invited, { id: member.id, email: `ada@${domain}` }]) {
      await services.pool.query(
        `update users set email_proved = false, password_hash = coalesce(password_hash, 'planted') where id = $1`,
        [id],
      );
      await services.pool.query(
        `insert into second_factors (user_id, secret, created_at, last_step) values ($1, '', now(), 0)`,
        [id],
      );
      const before = await createToken(services, { user: { id, email }, workspace: firm.slug });
      provider.person = { sub: unique('sub'), email, email_verified: true };
      const opened = await signIn({ workspace: firm.slug });
      expect(opened.code, opened.text).toBeNull();
      expect(opened.data).toMatchObject({ user: { id, email } });
      const { rows } = await services.pool.query(
        `select password_hash, email_proved, exists (select from second_factors where user_id = u.id) as has_factor
         from users u where id = $1`,
        [id],
      );
      expect(rows).toEqual([{ password_hash: null, email_proved: true, has_factor: false }]);
      expect((await gateway.request('GET /v1/ping', { token: before.text })).status).toBe(401);
      expect((await gateway.request('GET /v1/ping', { token: opened.data.token })).status).toBe(200);
    }
  });

  test('is fresh only if the person has proved who it is to the provider', async () => {
    await setUp();
    const opened = await signIn();
    expect((await rpc('signIn.startSecondFactor', {}, opened.data.token)).code).toBe(
      'fresh_sign_in_required',
    );
    const { url } = await start({ workspace: firm.slug, is_fresh: true });
    expect(new URL(url).searchParams.get('prompt')).toBe('login');
  });
});

describe('a session by the provider of a firm', () => {
  test('speaks for that firm only: it opens and ends nothing in others, and changes nothing of how the account signs in', async () => {
    const member = await setUp();
    const elsewhere = await createUserWithPassword(gateway);
    await services.pool.query(
      `insert into memberships (workspace_id, user_id, role, created_at) values ($1, $2, 'admin', now())`,
      [elsewhere.firm.id, member.id],
    );
    const { url } = await start({ workspace: firm.slug, is_fresh: true });
    const body = { query: await provider.signIn(url), cookie: true };
    const opened = await gateway.rpc('sessions.signInWithProvider', { token: null, body });
    expect(opened.code, opened.text).toBeNull();
    const cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
    const asMember = (name: string, input: object = {}) =>
      gateway.rpc(name, {
        workspace: firm.slug,
        headers: { cookie, origin: new URL(gateway.url).origin },
        body: input,
      });
    const workspace = elsewhere.firm.slug;
    const other = await createToken(services, { user: member, workspace, kind: 'device' });
    const [own, ...others] = (await asMember('sessions.list')).data;
    expect([own.current, others]).toEqual([true, []]);
    expect((await asMember('sessions.end', { id: other.id })).code).toBe('resource_not_found');
    for (const { slug } of [elsewhere.firm, { slug: `${elsewhere.firm.slug}${SANDBOX_SUFFIX}` }])
      expect((await asMember('sessions.open', { workspace: slug })).code).toBe('workspace_not_permitted');
    await services.pool.query('update tokens set verified_at = $2 where id = $1', [
      opened.data.id,
      clock.now(),
    ]);
    expect((await asMember('singleSignOn.addDomain', { domain: `two.${domain}` })).code).toBeNull();
    for (const name of ['startSecondFactor', 'renewRecoveryCodes', 'disableSecondFactor', 'startPasskey'])
      expect((await asMember(`signIn.${name}`)).code, name).toBe('fresh_sign_in_required');
    // The password of the account is its own.
    await services.pool.query(
      'update users set password_hash = (select password_hash from users where id = $2) where id = $1',
      [member.id, user.id],
    );
    expect((await asMember('sessions.confirm', { password: PASSWORD })).code).toBeNull();
    expect((await asMember('signIn.startPasskey')).code).toBeNull();
    expect((await asMember('sessions.open', { workspace: elsewhere.firm.slug })).code).toBeNull();
  });

  test('has at most as many domains as it may, also of calls at once', async () => {
    await ok('singleSignOn.saveProvider', settings());
    const names = Array.from({ length: MAX_SIGN_IN_DOMAINS + 4 }, (_, i) => `d${i}.${domain}`);
    await Promise.all(names.map((name) => rpc('singleSignOn.addDomain', { domain: name })));
    expect((await ok('singleSignOn.get')).domains).toHaveLength(MAX_SIGN_IN_DOMAINS);
  });

  test('is not fresh for longer because the provider names a time to come', async () => {
    await setUp();
    clock.advance(Date.now() - 10 * MINUTE - clock.now().getTime());
    const { url } = await start({ workspace: firm.slug, is_fresh: true });
    const opened = await finish(await provider.signIn(url));
    clock.advance(6 * MINUTE);
    expect((await rpc('singleSignOn.removeProvider', {}, opened.data.token)).code).toBe(
      'fresh_sign_in_required',
    );
    clock.advance(6 * MINUTE);
  });
});

describe('the provider of a firm', () => {
  test('signs nobody in until the domains are proved anew, if it is another than before', async () => {
    await setUp();
    await ok('singleSignOn.saveProvider', settings());
    expect((await signIn()).code).toBeNull();
    await using other = await startOpenIdProvider(`${gateway.url}/sign-in/provider`);
    other.person = { ...provider.person, sub: unique('sub') };
    const theirs = { issuer: other.issuer, client_id: other.clientId, client_secret: other.clientSecret };
    const enter = async () => {
      const { url } = await start({ workspace: firm.slug });
      return (await finish(await other.signIn(url))).code;
    };
    for (const isRemoved of [false, true]) {
      if (isRemoved) await ok('singleSignOn.removeProvider');
      await ok('singleSignOn.saveProvider', theirs);
      // The record of the last provider is still in the DNS.
      expect((await rpc('singleSignOn.verifyDomain', { domain })).code).toBe('validation_failed');
      expect(await enter()).toBe('invalid_credentials');
      await proveDomain();
    }
    expect(await enter()).toBeNull();
  });

  test('is stored only if it describes itself, within time and size, at a public address', async () => {
    const save = (over: object = {}) => rpc('singleSignOn.saveProvider', { ...settings(), ...over });
    expect((await save({ issuer: 'http://127.0.0.1:9' })).code).toBe('provider_failed');
    expect((await save({ issuer: 'ftp://x.example' })).code).toBe('validation_failed');
    provider.answerOf = () => '{}';
    expect((await save()).code).toBe('provider_failed');
    provider.answerOf = () => JSON.stringify({ issuer: provider.issuer, x: 'x'.repeat(2_000_000) });
    expect((await save()).code).toBe('provider_failed');
    provider.answerOf = () => null;
    services.singleSignOn.allowsPrivateProviders = false;
    for (const issuer of [provider.issuer, provider.issuer.replace('http:', 'https:'), 'https://localhost:1'])
      expect((await save({ issuer })).code).toBe('provider_failed');
    services.singleSignOn.allowsPrivateProviders = true;
    expect((await save()).code).toBeNull();
  });

  test('keeps its secret sealed, also over rotations, and sends it to no other provider', async () => {
    await setUp();
    const stored = async () =>
      (await services.pool.query('select * from sign_in_providers where workspace_id = $1', [firm.id]))
        .rows[0];
    expect(JSON.stringify(await stored())).not.toContain(provider.clientSecret);
    expect((await stored()).client_secret.toString()).not.toContain(provider.clientSecret);
    expect(JSON.stringify(await ok('singleSignOn.get'))).not.toContain(provider.clientSecret);
    const before = (await stored()).client_secret;
    await withTransaction(services, sealAgain);
    expect((await stored()).client_secret.equals(before)).toBe(false);
    const { client_secret: _, ...rest } = settings();
    await ok('singleSignOn.saveProvider', rest);
    expect((await signIn()).code).toBeNull();
    const other = { ...rest, issuer: `${provider.issuer}/other` };
    expect((await rpc('singleSignOn.saveProvider', other)).code).toBe('validation_failed');
    await ok('singleSignOn.removeProvider');
    expect((await rpc('sessions.startProvider', { workspace: firm.slug }, null)).code).toBe(
      'resource_not_found',
    );
  });

  test('has domains that the DNS of the domain proves, each in one firm', async () => {
    await ok('singleSignOn.saveProvider', settings());
    await ok('singleSignOn.addDomain', { domain });
    expect((await rpc('singleSignOn.verifyDomain', { domain })).code).toBe('validation_failed');
    expect((await rpc('sessions.startProvider', { email: `ada@${domain}` }, null)).code).toBe(
      'resource_not_found',
    );
    await proveDomain();
    await start();
    const other = await createUserWithPassword(gateway, { permissions: [...permissions] });
    const theirs = (await signInAt(gateway)(other.user.email)).body.data.token;
    const { domains } = await ok('singleSignOn.addDomain', { domain }, theirs);
    records[domains[0].record_name] = domains[0].record_text;
    expect((await rpc('singleSignOn.verifyDomain', { domain }, theirs)).code).toBe('validation_failed');
    await ok('singleSignOn.removeDomain', { domain });
    await ok('singleSignOn.verifyDomain', { domain }, theirs);
  });
});

describe('a provider that is required', () => {
  const require = (over: object, as = token) =>
    rpc('singleSignOn.require', { is_required: true, break_glass: user.id, ...over }, as);
  async function freshToken(): Promise<string> {
    const { data } = await signIn();
    await services.pool.query('update tokens set verified_at = $2 where id = $1', [data.id, clock.now()]);
    return data.token;
  }

  test('is the only way into the firm, but for one administrator, and ends other sessions', async () => {
    const member = await setUp();
    await services.pool.query(
      'update users set password_hash = (select password_hash from users where id = $2) where id = $1',
      [member.id, user.id],
    );
    const byPassword = signInAt(gateway);
    const theirs = (await byPassword(`ada@${domain}`)).body.data.token;
    expect((await require({})).code).toBe('validation_failed');
    const byProvider = await freshToken();
    expect((await require({ break_glass: null }, byProvider)).code).toBe('validation_failed');
    const agent = await createUser(services, { firm, password: PASSWORD });
    expect((await require({ break_glass: agent.id }, byProvider)).code).toBe('validation_failed');
    expect((await require({}, byProvider)).code).toBeNull();
    const ping = (as: string) => gateway.request('GET /v1/ping', { token: as });
    expect((await ping(theirs)).body.error.code).toBe('revoked_token');
    expect([(await ping(byProvider)).status, (await ping(token)).status]).toEqual([200, 200]);
    expect((await byPassword(`ada@${domain}`)).body.error.code).toBe('provider_required');
    expect((await byPassword(user.email)).status).toBe(201);
    expect((await signIn()).code).toBeNull();
    await ok('singleSignOn.require', { is_required: false, break_glass: null }, byProvider);
    expect((await byPassword(`ada@${domain}`)).status).toBe(201);
  });

  test('is not passed by a session in another firm', async () => {
    const member = await setUp();
    expect((await require({}, await freshToken())).code).toBeNull();
    const elsewhere = await createUserWithPassword(gateway);
    await services.pool.query(
      `insert into memberships (workspace_id, user_id, role, created_at) values ($1, $2, 'admin', now())`,
      [elsewhere.firm.id, member.id],
    );
    await services.pool.query(
      'update users set password_hash = (select password_hash from users where id = $2) where id = $1',
      [member.id, user.id],
    );
    const opened = await signInAt(gateway)(`ada@${domain}`, { workspace: elsewhere.firm.slug, cookie: true });
    expect(opened.status, opened.text).toBe(201);
    const cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
    for (const workspace of [firm.slug, `${firm.slug}~test`]) {
      const answer = await gateway.rpc('sessions.open', {
        workspace: elsewhere.firm.slug,
        headers: { cookie, origin: new URL(gateway.url).origin },
        body: { workspace },
      });
      expect(answer.code, answer.text).not.toBeNull();
    }
  });
});
