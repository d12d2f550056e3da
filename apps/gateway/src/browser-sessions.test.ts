import { PLATFORM } from '@firmdesk/contract';
import { createStaff, createToken, createUser, createWorkspace } from '@firmdesk/testing';
import {
  createUserWithPassword,
  openTestGateway,
  PASSWORD,
  type RpcAnswer,
  suiteGateway,
} from '@firmdesk/testing/gateway';
import { describe, expect, inject, test } from 'vitest';

const gateway = await suiteGateway();
const { origin } = new URL(gateway.url);

/** A browser: stores the cookies that responses set, and sends them with every call. */
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
  /** Returns the firm in which a call that names `workspace` acts, or its error code. */
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

/** Creates a member of two firms, and a browser in which the account is signed in to the first. */
async function inTwoFirms() {
  const { firm, user } = await createUserWithPassword(gateway);
  const other = await createWorkspace(gateway.services);
  await join(user.id, other.id);
  const browser = new Browser();
  expect((await browser.signIn(user.email, firm.slug)).code).toBe(null);
  return { firm, other, user, browser };
}

/** Creates a staff account with a password. */
async function staffOf(firms: { id: number }[]) {
  return createStaff(gateway.services, firms as Parameters<typeof createStaff>[1], PASSWORD);
}

describe('a call with the console’s cookies', () => {
  test('acts with the session of the firm that it names', async () => {
    const { firm, other, user, browser } = await inTwoFirms();
    expect((await browser.signIn(user.email, other.slug)).code).toBe(null);
    expect([...browser.cookies.keys()]).toEqual([
      `firmdesk_session_${firm.slug}`,
      `firmdesk_session_${other.slug}`,
    ]);
    expect(await browser.firmOf(firm.slug)).toBe(firm.slug);
    expect(await browser.firmOf(other.slug)).toBe(other.slug);
  });

  test('is rejected with invalid_token if it names no firm, two firms, or a firm without a session', async () => {
    const { firm, other, user, browser } = await inTwoFirms();
    expect(await browser.firmOf()).toBe('invalid_token');
    expect(await browser.firmOf('')).toBe('invalid_token');
    expect(await browser.firmOf(other.slug)).toBe('invalid_token');
    await browser.signIn(user.email, other.slug);
    expect(await browser.firmOf()).toBe('invalid_token');
    expect(await browser.firmOf(`${firm.slug}, ${other.slug}`)).toBe('invalid_token');
  });

  test('is rejected if the cookie was renamed to another firm’s', async () => {
    const { firm, browser } = await inTwoFirms();
    const foreign = await createWorkspace(gateway.services);
    browser.cookies.set(
      `firmdesk_session_${foreign.slug}`,
      browser.cookies.get(`firmdesk_session_${firm.slug}`)!,
    );
    expect(await browser.firmOf(foreign.slug)).toBe('workspace_not_permitted');
    expect((await browser.call('tickets.list', foreign.slug)).code).toBe('workspace_not_permitted');
  });

  test('acts with a staff session in every firm of that staff account, and in no other', async () => {
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

  test('signs out of the firm that it names only', async () => {
    const { firm, other, browser } = await inTwoFirms();
    await browser.open(other.slug, firm.slug);
    expect((await browser.call('sessions.signOut', firm.slug)).code).toBe(null);
    expect([...browser.cookies.keys()]).toEqual([`firmdesk_session_${other.slug}`]);
    expect(await browser.firmOf(firm.slug)).toBe('invalid_token');
    expect(await browser.firmOf(other.slug)).toBe(other.slug);
  });
});

test('a session ends when the browser signs in to the same firm again, with any account', async () => {
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
  await browser.signIn(user.email, firm.slug);
  const before = tokenOf(firm);
  await browser.signIn(user.email, firm.slug);
  expect([await ping(before), await ping(tokenOf(firm))]).toEqual(['revoked_token', null]);
});

test('a session also ends when the browser signs in again over /v1, but not by a page of another origin', async () => {
  const { firm, user, browser } = await inTwoFirms();
  const name = `firmdesk_session_${firm.slug}`;
  const signIn = (from: string) =>
    gateway.request('POST /v1/sessions', {
      headers: { origin: from, cookie: `${name}=${browser.cookies.get(name)}` },
      body: { email: user.email, password: PASSWORD, workspace: firm.slug, cookie: true },
    });
  expect((await signIn('https://elsewhere.example')).status).toBe(201);
  expect(await browser.firmOf(firm.slug)).toBe(firm.slug);
  expect((await signIn(origin)).status).toBe(201);
  expect(await browser.firmOf(firm.slug)).toBe('revoked_token');
});

describe('opening another firm', () => {
  test('adds one session there, and keeps the existing one', async () => {
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

  test('opens a new session if the one there has ended', async () => {
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

  test('is rejected without an active membership, and for the platform even for staff', async () => {
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

  test('is rejected for the session’s own firm after the account’s dismissal', async () => {
    const { firm, other, user, browser } = await inTwoFirms();
    await leave(user.id, firm.id);
    expect((await browser.open(firm.slug, firm.slug)).code).toBe('workspace_not_permitted');
    expect((await browser.open(other.slug, firm.slug)).code).toBe(null);
  });

  test('is rejected for a bearer token, and for a page of another origin', async () => {
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

  test('runs again instead of replaying for the same idempotency key, because its response has a token', async () => {
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

  test('clears a member’s session if the staff session covers the firm, and adds none', async () => {
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

  test('opens a session that a password change ends', async () => {
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
  const tenantOf = ({ slug, name }: { slug: string; name: string }) => ({ slug, name, logo_url: null });

  test('are listed with the firms that each can open, without ended sessions', async () => {
    const { firm, other, user, browser } = await inTwoFirms();
    const staff = await staffOf([firm]);
    await browser.signIn(staff.email);
    const both = [firm, other].sort((a, b) => (a.name < b.name ? -1 : 1)).map(tenantOf);
    const ofMember = {
      object: 'browser_session',
      workspace: { slug: firm.slug, name: firm.name },
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

  test('are not listed for another origin or without cookies', async () => {
    const { browser } = await inTwoFirms();
    const [cookie] = [...browser.cookies].map(([name, value]) => `${name}=${value}`);
    for (const headers of [{}, { cookie: cookie!, origin: 'https://evil.example' }]) {
      expect((await gateway.rpc('sessions.ofBrowser', { headers })).data).toEqual([]);
    }
  });

  test('are listed at the cost of one call of each session’s rate limit', async () => {
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

describe('test data', () => {
  const at = ({ slug }: { slug: string }) => `${slug}.test`;

  test('opens in a session of its own for an administrator, and closes with the membership', async () => {
    const { firm, user, browser } = await inTwoFirms();
    expect((await browser.open(at(firm), firm.slug)).code).toBe(null);
    expect(await browser.firmOf(at(firm))).toBe(at(firm));
    expect(await browser.firmOf(firm.slug)).toBe(firm.slug);
    const mailboxes = async (slug: string) => (await browser.call('mail.mailboxes', slug)).data;
    expect(await mailboxes(at(firm))).toHaveLength(1);
    expect(await mailboxes(firm.slug)).toHaveLength(0);
    const before = new Map(browser.cookies);
    expect((await browser.open(at(firm), firm.slug)).code).toBe(null);
    expect(browser.cookies).toEqual(before);
    await leave(user.id, firm.id);
    expect((await browser.call('tickets.list', at(firm))).code).toBe('admin_access_required');
    expect((await browser.open(at(firm), firm.slug)).code).toBe('workspace_not_permitted');
  });

  test('opens for staff in the firms in which they may act, with one session', async () => {
    const [firm, second, foreign] = [
      await createWorkspace(gateway.services),
      await createWorkspace(gateway.services),
      await createWorkspace(gateway.services),
    ];
    const staff = await staffOf([firm, second]);
    const browser = new Browser();
    await browser.signIn(staff.email);
    for (const each of [firm, second]) {
      expect((await browser.open(at(each), each.slug)).code).toBe(null);
      expect(await browser.firmOf(at(each))).toBe(at(each));
    }
    expect(browser.cookies.size).toBe(2);
    expect((await browser.open(at(foreign), firm.slug)).code).toBe('workspace_not_permitted');
  });

  test('does not open for a trader, an API key, or without a session; and its session opens no firm', async () => {
    const { firm, other, user, browser } = await inTwoFirms();
    await browser.open(at(firm), firm.slug);
    expect((await browser.open(other.slug, at(firm))).code).toBe('workspace_not_permitted');
    expect((await browser.open(at(other), at(firm))).code).toBe('workspace_not_permitted');
    expect((await browser.open(at(firm), at(firm))).code).toBe(null);
    const trader = await createUser(gateway.services, { firm, role: 'trader', password: PASSWORD });
    const phone = new Browser();
    await phone.signIn(trader.email);
    expect((await phone.open(at(firm), firm.slug)).code).toBe('workspace_not_permitted');
    const { text: token } = await createToken(gateway.services, { user, workspace: firm.slug });
    const answer = await gateway.rpc('sessions.open', { token, body: { workspace: at(firm) } });
    expect(answer.code).toBe('workspace_not_permitted');
  });
});
