import { userInfo } from 'node:os';
import { PLATFORM } from '@firmdesk/contract';
import { changePermissions, rotateToken, withTransaction } from '@firmdesk/domain';
import { createStaff, createTicket, createToken, createUser, createWorkspace } from '@firmdesk/testing';
import { openSocket, registerPhone, suiteGateway } from '@firmdesk/testing/gateway';
import { expect, test, vi } from 'vitest';
import { suiteCommands } from './testing/suite-commands.ts';

const gateway = await suiteGateway();
const { services } = gateway;
const { ops, result } = await suiteCommands(gateway);
const PASSWORD = 'correct horse battery';
const WAIT = { timeout: 120_000, interval: 50 };
const audit = (target: string, ...args: string[]) => result('audit', 'list', '--target', target, ...args);
const codeOf = async (token: string) =>
  (await gateway.request('GET /v1/ping', { token })).body.error?.code ?? null;
const signIn = (email: string) =>
  gateway.request('POST /v1/sessions', { body: { email, password: PASSWORD } });

test('deactivates an account everywhere, and reactivates it without its tokens', async () => {
  const [firm, other] = [await createWorkspace(services), await createWorkspace(services)];
  const user = await createUser(services, { firm, password: PASSWORD });
  await ops('user', 'add', '--email', user.email, '--workspace', other.slug);
  const key = await createToken(services, { user, workspace: firm.slug });
  const elsewhere = await createToken(services, { user, workspace: other.slug });
  const phone = await registerPhone(gateway, user, firm.slug, 'mail');
  const socket = await openSocket(gateway.url, { params: { token: key.text } });
  await socket.call('query', 'ping', {});

  const { revoked, ...rest } = await result(
    'user',
    'deactivate',
    user.email.toUpperCase(),
    '--actor',
    'ines',
  );
  expect(rest).toEqual({ user: user.email.toUpperCase(), firm: null, active: false });
  expect(revoked.sort()).toEqual([key.id, elsewhere.id, phone.session].sort());
  expect((await socket.closed)[0]).toBe(4401);
  for (const { text } of [key, elsewhere, phone]) expect(await codeOf(text)).toBe('revoked_token');
  const devices = await services.pool.query('select from devices where token_id = $1', [phone.session]);
  expect(devices.rows).toEqual([]);
  expect((await signIn(user.email)).body.error.code).toBe('invalid_credentials');
  const issue = await ops(
    ...['token', 'issue', '--user', user.id, '--workspace', firm.slug, '--scopes', 'mail:read'],
  );
  expect([issue.code, issue.stderr]).toEqual([1, expect.stringContaining('must be a workspace of')]);
  const join = await ops(
    'user',
    'add',
    '--email',
    user.email,
    '--workspace',
    (await createWorkspace(services)).slug,
  );
  expect([join.code, join.stderr]).toEqual([1, expect.stringContaining('deactivated account')]);

  await result('user', 'deactivate', user.id, '--reactivate');
  for (const { text } of [key, elsewhere]) expect(await codeOf(text)).toBe('revoked_token');
  const choices = (await signIn(user.email)).body.error.fields[0].choices;
  expect(choices.map(({ value }: { value: string }) => value).sort()).toEqual([firm.slug, other.slug].sort());
  const again = await ops('user', 'deactivate', user.id, '--reactivate');
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('must be a deactivated account')]);

  const events = await audit(user.id, '--firm', PLATFORM);
  expect(events).toMatchObject([
    {
      action: 'user.reactivated',
      actor_kind: 'operator',
      actor: userInfo().username,
    },
    {
      action: 'user.deactivated',
      actor_kind: 'operator',
      actor: 'ines',
      after: { revoked: expect.any(Array) },
    },
  ]);
  expect(JSON.stringify(await audit(user.id))).not.toContain(user.email);
});

test('deactivates and readmits a member of one firm, with the permissions that it had', async () => {
  const [firm, other] = [await createWorkspace(services), await createWorkspace(services)];
  const user = await createUser(services, { firm, password: PASSWORD, permissions: ['view_tickets'] });
  await ops('user', 'add', '--email', user.email, '--workspace', other.slug);
  const here = await createToken(services, { user, workspace: firm.slug });
  const elsewhere = await createToken(services, { user, workspace: other.slug });
  expect((await result('user', 'deactivate', user.id, '--firm', firm.slug)).revoked).toEqual([here.id]);
  expect([await codeOf(here.text), await codeOf(elsewhere.text)]).toEqual(['revoked_token', null]);
  expect(await result('user', 'permissions', user.id, '--firm', firm.slug)).toMatchObject({
    active: false,
    permissions: [],
  });
  await result('user', 'deactivate', user.id, '--firm', firm.slug, '--reactivate');
  expect(await result('user', 'permissions', user.id, '--firm', firm.slug)).toMatchObject({
    active: true,
    permissions: ['view_tickets'],
  });
  const twice = await ops('user', 'deactivate', user.id, '--firm', firm.slug, '--reactivate');
  expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining('is not a dismissed member')]);
  const actions = (await audit(user.id, '--firm', firm.slug)).map(({ action }: { action: string }) => action);
  expect(actions).toEqual(['user.readmitted', 'user.dismissed', 'user.added']);
});

test('changes the permissions of a member, with the next call and on open streams', async () => {
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm, permissions: ['view_tickets', 'manage_tickets'] });
  const trader = await createUser(services, { firm, role: 'trader' });
  const operator = await createStaff(services, 'all');
  const { text: token } = await createToken(services, { user, workspace: firm.slug });
  const ticket = await createTicket(services, { firm, trader });
  const list = async () =>
    (await gateway.request('GET /v1/admin/tickets', { token })).body.error?.code ?? null;
  const change = (...args: string[]) =>
    result('user', 'permissions', user.email, '--firm', firm.slug, '--actor', operator.email, ...args);
  const socket = await openSocket(gateway.url, { params: { token } });
  await socket.call('subscription', 'tickets.stream', { ticket });

  expect(await change('--revoke', 'view_tickets')).toEqual({
    ...{ user: user.id, workspace: firm.slug, role: 'admin', active: true },
    permissions: ['manage_tickets'],
  });
  expect((await socket.closed)[0]).toBe(1012);
  expect(await list()).toBe('forbidden');
  const refused = await openSocket(gateway.url, { params: { token } });
  expect(await refused.call('subscription', 'tickets.stream', { ticket })).toMatchObject({
    code: 'forbidden',
  });
  refused.ws.terminate();
  expect((await change('--grant', 'view_tickets')).permissions).toEqual(['view_tickets', 'manage_tickets']);
  expect(await list()).toBe(null);
  expect((await change('--set', '')).permissions).toEqual([]);
  expect((await change('--set', 'manage_tickets,view_tickets')).permissions).toHaveLength(2);
  // No-op changes are not recorded.
  await change('--grant', 'view_tickets');

  const events = await audit(user.id, '--firm', firm.slug);
  expect(events).toMatchObject([
    { before: { permissions: [] }, after: { permissions: ['view_tickets', 'manage_tickets'] } },
    { after: { permissions: [] } },
    {
      before: { permissions: ['manage_tickets'] },
      after: { permissions: ['view_tickets', 'manage_tickets'] },
    },
    { action: 'user.permissions_changed', actor_kind: 'account', actor: operator.id },
    { action: 'user.added', actor_kind: 'system', actor: null },
  ]);
  const refusals: [
    Parameters<typeof changePermissions>[1],
    Parameters<typeof changePermissions>[2],
    string,
  ][] = [
    [
      { user: user.id, workspace: firm.slug },
      { grant: ['fly'] },
      'must not contain "fly": the permissions are view_tickets',
    ],
    [{ user: trader.id, workspace: firm.slug }, { grant: ['view_tickets'] }, 'a trader holds no permissions'],
    [{ user: operator.id, workspace: firm.slug }, {}, 'is not a member of'],
    [{ user: operator.id, workspace: PLATFORM }, {}, 'staff hold every permission'],
  ];
  for (const [target, asked, message] of refusals)
    await expect(withTransaction(services, (ctx) => changePermissions(ctx, target, asked))).rejects.toThrow(
      message,
    );
  const unknown = await ops('user', 'permissions', user.id, '--firm', firm.slug, '--actor', 'no@example.com');
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringContaining('There is no account no@example.com'),
  ]);
  const both = await ops('user', 'permissions', user.id, '--firm', firm.slug, '--set', '', '--grant', 'x');
  expect([both.code, both.stdout]).toEqual([2, '']);
});

test('rotates a key: the last secret works until the overlap ends, an earlier one ends immediately', async () => {
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm });
  const first = await createToken(services, { user, workspace: firm.slug });
  const rotate = (...args: string[]) => result('token', 'rotate', first.id, ...args);
  const socket = await openSocket(gateway.url, { params: { token: first.text } });
  await socket.call('query', 'ping', {});

  const second = await rotate();
  const dayMs = 24 * 3_600_000;
  // The operator's clock is the machine's, the gateway's is the test's.
  expect(Math.abs(Date.parse(second.previous_until) - dayMs - Date.now())).toBeLessThan(600_000);
  expect([second.id, second.token === first.text]).toEqual([first.id, false]);
  await services.pool.query('update tokens set previous_secret_until = $2 where id = $1', [
    first.id,
    new Date(gateway.clock.now().getTime() + dayMs),
  ]);
  expect([await codeOf(first.text), await codeOf(second.token)]).toEqual([null, null]);
  await socket.call('query', 'ping', {});
  const { rows } = await services.pool.query('select * from tokens where id = $1', [first.id]);
  expect(JSON.stringify(rows)).not.toContain(second.token.slice(-40));

  const third = await rotate('--overlap', 'P1D');
  await services.pool.query('update tokens set previous_secret_until = $2 where id = $1', [
    first.id,
    new Date(gateway.clock.now().getTime() + dayMs),
  ]);
  // The first secret has ended, and with it its sockets.
  expect((await socket.closed)[0]).toBe(1012);
  const codes = async (...tokens: string[]) => Promise.all(tokens.map(codeOf));
  expect(await codes(first.text, second.token, third.token)).toEqual(['invalid_token', null, null]);
  const next = await openSocket(gateway.url, { params: { token: second.token } });
  await next.call('query', 'ping', {});
  gateway.clock.advance(dayMs);
  expect((await next.closed)[0]).toBe(1012);
  expect(await codes(second.token, third.token)).toEqual(['invalid_token', null]);

  const fourth = await rotate('--overlap', '0s');
  await vi.waitFor(
    async () => expect(await codes(third.token, fourth.token)).toEqual(['invalid_token', null]),
    WAIT,
  );
  const rotations = await audit(first.id, '--firm', firm.slug);
  expect(rotations.map(({ action }: { action: string }) => action)).toEqual(Array(3).fill('token.rotated'));
  expect(JSON.stringify(rotations)).not.toContain('fd_live_');

  const phone = await registerPhone(gateway, user, firm.slug, 'mail');
  const dead = await createToken(services, { user, workspace: firm.slug, revokedAt: new Date() });
  const overlapUntil = new Date(gateway.clock.now().getTime() + dayMs);
  for (const [id, message] of [
    [phone.session, 'must be an API key'],
    [dead.id, 'neither revoked nor expired'],
    ['key_unknown1', 'There is no token'],
  ] as const)
    await expect(withTransaction(services, (ctx) => rotateToken(ctx, { id, overlapUntil }))).rejects.toThrow(
      message,
    );
  const refused = await ops('token', 'rotate', first.id, '--overlap', 'soon');
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('It must be a duration')]);
});

test('lists the audit trail of one firm only, and describes a command with --help', async () => {
  const [firm, other] = [await createWorkspace(services), await createWorkspace(services)];
  const user = await createUser(services, { firm });
  await createUser(services, { firm: other });
  const events = await result('audit', 'list', '--firm', firm.slug);
  expect(events.map(({ target_id }: { target_id: string }) => target_id)).toEqual([user.id, firm.slug]);
  const { stdout } = await ops('audit', 'list', '--limit', '1', '--firm', firm.slug);
  expect(stdout).toMatch(/^created_at +workspace +actor +action/);
  expect(stdout.trim().split('\n')).toHaveLength(2);
  const help = await ops('user', 'permissions', '--help');
  expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('--grant <a,b>')]);
});
