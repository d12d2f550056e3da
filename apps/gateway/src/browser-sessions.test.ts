import { PLATFORM } from '@firmdesk/contract';
import { createStaff, createToken, createUser, createWorkspace } from '@firmdesk/domain/testing';
import { describe, expect, inject, test } from 'vitest';
import { createUserWithPassword, PASSWORD } from './testing/sign-in.ts';
import { suiteGateway } from './testing/suite-gateway.ts';
import { openTestGateway, type RpcAnswer } from './testing/test-gateway.ts';

const gateway = await suiteGateway();
const { origin } = new URL(gateway.url);

/** A browser: it keeps the cookies that answers set, and sends all of them with every call. */
class Browser {
  readonly cookies = new Map<string, string>();

  async call(name: string, workspace?: string, body?: object): Promise<RpcAnswer> {
    const cookie = [...this.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
    const answer = await gateway.rpc(name, {
      ...(workspace !== undefined && { workspace }),
      ...(body && { body }),
      headers: { origin, ...(cookie && { cookie }) },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, key, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value) this.cookies.set(key!, value);
      else this.cookies.delete(key!);
    }
    return answer;
  }

  async signIn(email: string, workspace?: string): Promise<RpcAnswer> {
    return this.call('sessions.signIn', undefined, { email, password: PASSWORD, cookie: true, workspace });
  }

  open = (workspace: string, by: string) => this.call('sessions.open', by, { workspace });
  /** The firm that a call which names this one acts in, or the code that it is refused with. */
  async firmOf(workspace?: string): Promise<string | null> {
    const { code, data } = await this.call('account.get', workspace);
    return code ?? data.workspace.slug;
  }
}

async function join(userId: string, firmId: number, role = 'admin'): Promise<void> {
  await gateway.services.pool.query(
    `insert into memberships (workspace_id, user_id, role, created_at) values ($1, $2, $3, now())`,
    [firmId, userId, role],
  );
}

async function leave(userId: string, firmId: number): Promise<void> {
  await gateway.services.pool.query(
    'update memberships set active = false where user_id = $1 and workspace_id = $2',
    [userId, firmId],
  );
}

/** An account that belongs to two firms, and its browser, signed in to the first. */
async function inTwoFirms() {
  const { firm, user } = await createUserWithPassword(gateway);
  const other = await createWorkspace(gateway.services);
  await join(user.id, other.id);
  const browser = new Browser();
  expect((await browser.signIn(user.email, firm.slug)).code).toBe(null);
  return { firm, other, user, browser };
}

/** A staff account with a password. */
async function staffOf(firms: { id: number }[]) {
  return createStaff(gateway.services, firms as Parameters<typeof createStaff>[1], PASSWORD);
}

describe('a call with the console’s cookies', () => {
  test('acts by the session of the firm that it names', async () => {
    const { firm, other, user, browser } = await inTwoFirms();
    expect((await browser.signIn(user.email, other.slug)).code).toBe(null);
    expect([...browser.cookies.keys()]).toEqual([
      `firmdesk_session_${firm.slug}`,
      `firmdesk_session_${other.slug}`,
    ]);
    expect(await browser.firmOf(firm.slug)).toBe(firm.slug);
    expect(await browser.firmOf(other.slug)).toBe(other.slug);
  });

  test('that names no firm, two, or one without a session, has no session picked for it', async () => {
    const { firm, other, user, browser } = await inTwoFirms();
    expect(await browser.firmOf()).toBe('invalid_token');
    expect(await browser.firmOf('')).toBe('invalid_token');
    expect(await browser.firmOf(other.slug)).toBe('invalid_token');
    await browser.signIn(user.email, other.slug);
    expect(await browser.firmOf()).toBe('invalid_token');
    expect(await browser.firmOf(`${firm.slug}, ${other.slug}`)).toBe('invalid_token');
  });

  test('gains nothing from a cookie that was given another firm’s name', async () => {
    const { firm, browser } = await inTwoFirms();
    const foreign = await createWorkspace(gateway.services);
    browser.cookies.set(
      `firmdesk_session_${foreign.slug}`,
      browser.cookies.get(`firmdesk_session_${firm.slug}`)!,
    );
    expect(await browser.firmOf(foreign.slug)).toBe('workspace_not_permitted');
    expect((await browser.call('tickets.list', foreign.slug)).code).toBe('workspace_not_permitted');
  });

  test('of the staff acts by their one session in every firm of theirs, and in no other', async () => {
    const [firm, other, foreign] = [
      await createWorkspace(gateway.services),
      await createWorkspace(gateway.services),
      await createWorkspace(gateway.services),
    ];
    const browser = new Browser();
    await browser.signIn((await staffOf([firm, other])).email);
    expect([...browser.cookies.keys()]).toEqual(['firmdesk_session_platform']);
    expect(await browser.firmOf(firm.slug)).toBe(firm.slug);
    expect(await browser.firmOf(other.slug)).toBe(other.slug);
    expect(await browser.firmOf(foreign.slug)).toBe('workspace_not_permitted');
  });

  test('signs out of the firm that it names, and of no other', async () => {
    const { firm, other, browser } = await inTwoFirms();
    await browser.open(other.slug, firm.slug);
    expect((await browser.call('sessions.signOut', firm.slug)).code).toBe(null);
    expect([...browser.cookies.keys()]).toEqual([`firmdesk_session_${other.slug}`]);
    expect(await browser.firmOf(firm.slug)).toBe('invalid_token');
    expect(await browser.firmOf(other.slug)).toBe(other.slug);
  });
});

test('the session of an account ends when another one takes its place in the browser', async () => {
  const { firm, other, user, browser } = await inTwoFirms();
  const next = await createUser(gateway.services, { firm, password: PASSWORD });
  await join(next.id, other.id);
  await browser.open(other.slug, firm.slug);
  const tokenOf = ({ slug }: { slug: string }) => browser.cookies.get(`firmdesk_session_${slug}`)!;
  const ping = async (token: string) => (await gateway.rpc('ping', { token })).code;
  const [here, there] = [tokenOf(firm), tokenOf(other)];
  await browser.signIn(next.email, firm.slug);
  expect([await ping(here), await ping(there)]).toEqual(['revoked_token', null]);
  await browser.open(other.slug, firm.slug);
  expect(await ping(there)).toBe('revoked_token');
  expect((await browser.call('account.get', other.slug)).data.user.id).toBe(next.id);
  // Of the same account it stays: other windows go on with it.
  await browser.signIn(user.email, firm.slug);
  const before = tokenOf(firm);
  await browser.signIn(user.email, firm.slug);
  expect(await ping(before)).toBe(null);
});

describe('opening another firm', () => {
  test('gives the browser a session there, once, beside the one it has', async () => {
    const { firm, other, user, browser } = await inTwoFirms();
    const opened = await browser.open(other.slug, firm.slug);
    expect(opened.data).toEqual({
      object: 'session_opened',
      tenant: { name: other.name, slug: other.slug },
    });
    expect(opened.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict$/);
    expect(await browser.firmOf(other.slug)).toBe(other.slug);
    expect(await browser.firmOf(firm.slug)).toBe(firm.slug);
    expect((await browser.open(other.slug, firm.slug)).headers.get('set-cookie')).toBe(null);
    const { rows } = await gateway.services.pool.query('select from tokens where user_id = $1', [user.id]);
    expect(rows.length).toBe(2);
  });

  test('opens a new session where the one there has ended', async () => {
    const { firm, other, browser } = await inTwoFirms();
    await browser.open(other.slug, firm.slug);
    await gateway.services.pool.query(
      'update tokens set revoked_at = now() where workspace_id = $1 and revoked_at is null',
      [other.id],
    );
    expect(await browser.firmOf(other.slug)).toBe('revoked_token');
    await browser.open(other.slug, firm.slug);
    expect(await browser.firmOf(other.slug)).toBe(other.slug);
  });

  test('is refused without a membership that is active, and for the platform even to staff', async () => {
    const { firm, other, user, browser } = await inTwoFirms();
    const foreign = await createWorkspace(gateway.services);
    await gateway.services.pool.query(
      'update users set is_staff = true, staff_of_all_firms = true where id = $1',
      [user.id],
    );
    await leave(user.id, other.id);
    for (const slug of [foreign.slug, other.slug, 'no-such-firm', PLATFORM]) {
      const answer = await browser.open(slug, firm.slug);
      expect([slug, answer.code]).toEqual([slug, 'workspace_not_permitted']);
      expect(answer.headers.get('set-cookie')).toBe(null);
    }
  });

  test('is refused for the firm of the session itself, once the account is dismissed from it', async () => {
    const { firm, other, user, browser } = await inTwoFirms();
    await leave(user.id, firm.id);
    expect((await browser.open(firm.slug, firm.slug)).code).toBe('workspace_not_permitted');
    expect((await browser.open(other.slug, firm.slug)).code).toBe(null);
  });

  test('is for browsers: a bearer token opens nothing, and another site neither', async () => {
    const { firm, other, user, browser } = await inTwoFirms();
    const { text: token } = await createToken(gateway.services, {
      user,
      workspace: firm.slug,
      kind: 'device',
    });
    const body = { workspace: other.slug };
    expect((await gateway.rpc('sessions.open', { token, body })).code).toBe('workspace_not_permitted');
    const [cookie] = [...browser.cookies].map(([name, value]) => `${name}=${value}`);
    const foreign = await gateway.rpc('sessions.open', {
      workspace: firm.slug,
      body,
      headers: { cookie: cookie!, origin: 'https://evil.example' },
    });
    expect(foreign.code).toBe('invalid_token');
    const { text: key } = await createToken(gateway.services, { user, workspace: firm.slug });
    browser.cookies.set(`firmdesk_session_${firm.slug}`, key);
    expect((await browser.open(other.slug, firm.slug)).code).toBe('workspace_not_permitted');
  });

  test('keeps no answer that shows the token: the same key is done again, not replayed', async () => {
    const { firm, other, browser } = await inTwoFirms();
    const [cookie] = [...browser.cookies].map(([name, value]) => `${name}=${value}`);
    const key = crypto.randomUUID();
    const open = () =>
      gateway.rpc('sessions.open', {
        key,
        workspace: firm.slug,
        body: { workspace: other.slug },
        headers: { cookie: cookie!, origin },
      });
    const [first, second] = [await open(), await open()];
    expect(second.headers.get('idempotent-replayed')).toBe(null);
    expect(second.headers.get('set-cookie')).not.toBe(first.headers.get('set-cookie'));
  });

  test('by the staff’s session needs no other, but clears one in the way', async () => {
    const firm = await createWorkspace(gateway.services);
    const member = await createUser(gateway.services, { firm, password: PASSWORD });
    const browser = new Browser();
    await browser.signIn(member.email);
    await browser.signIn((await staffOf([firm])).email);
    expect((await browser.call('account.get', firm.slug)).data.is_staff).toBe(false);
    expect((await browser.open(firm.slug, PLATFORM)).code).toBe(null);
    expect([...browser.cookies.keys()]).toEqual(['firmdesk_session_platform']);
    expect((await browser.call('account.get', firm.slug)).data.is_staff).toBe(true);
  });

  test('ends with a change of the password, as every other session does', async () => {
    const { firm, other, browser } = await inTwoFirms();
    await browser.open(other.slug, firm.slug);
    const changed = await browser.call('sessions.changePassword', firm.slug, {
      current_password: PASSWORD,
      new_password: 'another correct horse',
    });
    expect(changed.data.signed_out).toBe(1);
    expect(await browser.firmOf(other.slug)).toBe('revoked_token');
  });
});

describe('the sessions of a browser', () => {
  const list = async (browser: Browser) => (await browser.call('sessions.ofBrowser')).data;
  const tenantOf = ({ slug, name }: { slug: string; name: string }) => ({ slug, name });

  test('are listed with the firms that each may go to, and none that has ended', async () => {
    const { firm, other, user, browser } = await inTwoFirms();
    const staff = await staffOf([firm]);
    await browser.signIn(staff.email);
    const both = [firm, other].sort((a, b) => (a.name < b.name ? -1 : 1)).map(tenantOf);
    const ofMember = {
      object: 'browser_session',
      workspace: tenantOf(firm),
      user: { id: user.id, name: 'Robin Example', email: user.email },
      workspaces: both,
    };
    expect(await list(browser)).toMatchObject([
      ofMember,
      { workspace: { slug: PLATFORM }, user: { email: staff.email }, workspaces: [tenantOf(firm)] },
    ]);
    await gateway.services.pool.query('update tokens set revoked_at = now() where user_id = $1', [staff.id]);
    expect(await list(browser)).toEqual([ofMember]);
    expect((await browser.call('account.get', firm.slug)).data.workspaces).toEqual(both);
  });

  test('are told to no other site, and to nobody without cookies', async () => {
    const { browser } = await inTwoFirms();
    const [cookie] = [...browser.cookies].map(([name, value]) => `${name}=${value}`);
    for (const headers of [{}, { cookie: cookie!, origin: 'https://evil.example' }]) {
      expect((await gateway.rpc('sessions.ofBrowser', { headers })).data).toEqual([]);
    }
  });

  test('are counted against the limit of each session', async () => {
    await using limited = await openTestGateway(inject('postgresUrl'), { rateLimitPerMinute: 2 });
    const firm = await createWorkspace(limited.services);
    const user = await createUser(limited.services, { firm });
    const { text } = await createToken(limited.services, { user, workspace: firm.slug, kind: 'device' });
    const headers = { cookie: `firmdesk_session_${firm.slug}=${text}`, origin: limited.url };
    const codes: (string | null)[] = [];
    for (let i = 0; i < 3; i++) codes.push((await limited.rpc('sessions.ofBrowser', { headers })).code);
    expect(codes).toEqual([null, null, 'rate_limited']);
  });

  test('do not name a firm that dismissed the account', async () => {
    const { firm, other, user, browser } = await inTwoFirms();
    await leave(user.id, other.id);
    expect((await list(browser))[0].workspaces).toEqual([tenantOf(firm)]);
  });
});
