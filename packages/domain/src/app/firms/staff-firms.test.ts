import { PLATFORM, permissions } from '@firmdesk/contract';
import { createStaff, createToken, createWorkspace, unique } from '@firmdesk/testing';
import { createUserWithToken, openSocket, PASSWORD, signInAt, suiteGateway } from '@firmdesk/testing/gateway';
import { describe, expect, test } from 'vitest';
import { setPassword } from '../../access/accounts/users.ts';
import { withTransaction } from '../../platform/database/transaction.ts';

const gateway = await suiteGateway();
const { services } = gateway;

const rpc = (name: string, body: object, token: string, workspace?: string) =>
  gateway.rpc(name, { token, body, ...(workspace && { workspace }) });
async function staffOf(firms: Parameters<typeof createStaff>[1] = 'all') {
  const user = await createStaff(services, firms);
  const { text } = await createToken(services, {
    user,
    workspace: PLATFORM,
    kind: 'device',
    scopes: ['admin:read', 'admin:write'],
  });
  return { user, token: text };
}
const trail = async (slug: string) => {
  const { rows } = await services.pool.query(
    `select e.action, e.actor, e.after from audit_events e join workspaces w on w.id = e.workspace_id
     where w.slug = $1 and e.target_type = 'firm' order by e.id`,
    [slug],
  );
  return rows;
};

test('staff create, find, suspend and resume firms, each with the reason in the audit log of the firm', async () => {
  const { user, token } = await staffOf();
  const slug = unique('firm');
  const created = await rpc('staff.firms.create', { slug, name: 'Northgate 100%' }, token);
  expect(created.data).toMatchObject({ workspace: slug, state: 'served', members: 0 });
  expect((await rpc('staff.firms.create', { slug, name: 'Again' }, token)).code).toBe('validation_failed');
  const find = async (q: string) => (await rpc('staff.firms.list', { q }, token)).data.data;
  expect(await find(slug.toUpperCase())).toHaveLength(1);
  expect((await find('gate 100%')).map((firm: { workspace: string }) => firm.workspace)).toContain(slug);
  expect(await find(`${slug}%`)).toEqual([]);

  const change = (name: string) => rpc(`staff.firms.${name}`, { workspace: slug, reason: 'Unpaid' }, token);
  expect((await change('enter')).code).toBeNull();
  expect((await change('suspend')).data).toMatchObject({ state: 'suspended' });
  expect((await change('enter')).code).toBe('resource_not_found');
  expect(await find(slug)).toMatchObject([{ state: 'suspended' }]);
  expect((await change('resume')).data).toMatchObject({ state: 'served' });
  expect((await change('resume')).code).toBeNull();
  const actor = user.id;
  expect(await trail(slug)).toEqual([
    { action: 'firm.added', actor, after: null },
    { action: 'firm.entered_by_staff', actor, after: { reason: 'Unpaid' } },
    { action: 'firm.suspended', actor, after: { reason: 'Unpaid' } },
    { action: 'firm.resumed', actor, after: { reason: 'Unpaid' } },
  ]);
  // The staff invite the first member.
  const invited = await rpc(
    'firm.invites.create',
    { email: `${slug}@example.com`, permissions: [...permissions], by_mail: false },
    token,
    slug,
  );
  expect(invited.data).toMatchObject({ state: 'pending' });
});

test('pages of firms hold each firm once', async () => {
  const { token } = await staffOf();
  const name = unique('Paged');
  const slugs = [];
  for (let i = 0; i < 5; i++) {
    const slug = unique('paged');
    await rpc('staff.firms.create', { slug, name }, token);
    slugs.push(slug);
  }
  const found = [];
  for (let from: string | null | undefined; from !== null; ) {
    const page = await rpc(
      'staff.firms.list',
      { q: name, limit: 2, ...(from && { starting_after: from }) },
      token,
    );
    found.push(...page.data.data.map((firm: { workspace: string }) => firm.workspace));
    from = page.data.meta.next_cursor;
  }
  expect(found).toEqual(slugs.sort());
});

test('others than staff are refused, and staff of some firms see only those and change none', async () => {
  const [mine, other] = [await createWorkspace(services), await createWorkspace(services)];
  const { token } = await staffOf([mine]);
  const admin = await createUserWithToken(gateway, { firm: mine, permissions: [...permissions] });
  const listed = (await rpc('staff.firms.list', {}, token)).data.data;
  expect(listed.map((firm: { workspace: string }) => firm.workspace)).toEqual([mine.slug]);
  const reasoned = (workspace: string) => ({ workspace, reason: 'Because' });
  expect((await rpc('staff.firms.enter', reasoned(mine.slug), token)).code).toBeNull();
  expect((await rpc('staff.firms.enter', reasoned(other.slug), token)).code).toBe('resource_not_found');
  const calls: [string, object][] = [
    ['create', { slug: unique('firm'), name: 'New' }],
    ['suspend', reasoned(mine.slug)],
    ['resume', reasoned(mine.slug)],
  ];
  for (const [name, body] of calls)
    expect((await rpc(`staff.firms.${name}`, body, token)).code, name).toBe('forbidden');
  for (const [name, body] of [...calls, ['list', {}], ['enter', reasoned(mine.slug)]] as [string, object][])
    expect((await rpc(`staff.firms.${name}`, body, admin.token)).code, name).toBe('forbidden');
});

describe('a signed-in session of the staff', () => {
  const MINUTE_MS = 60_000;
  const TICKETS = 'GET /v1/admin/tickets';

  async function signedIn(firms: Parameters<typeof createStaff>[1] = 'all') {
    const user = await createStaff(services, firms);
    await withTransaction(services, (ctx) => setPassword(ctx, user.email, PASSWORD));
    const { body } = await signInAt(gateway)(user.email);
    return { user, token: body.data.token as string, proof: body.data.device as string };
  }
  const reads = async (slug: string) =>
    (await trail(slug))
      .filter(({ action }) => action === 'firm.read_by_staff')
      .map(({ after }) => after.data);

  test('of the console acts in a firm once it has said why: once, for each firm and session', async () => {
    const [firm, other] = [await createWorkspace(services), await createWorkspace(services)];
    const { user, token } = await signedIn();
    const ofConsole = (name: string, workspace: string, body: object = {}, as = token) =>
      gateway.rpc(name, {
        body,
        workspace,
        headers: { cookie: `firmdesk_session_platform=${as}`, origin: gateway.url },
      });
    const list = async (workspace: string, as = token) =>
      (await ofConsole('tickets.list', workspace, {}, as)).code;
    const account = () => ofConsole('account.get', firm.slug);
    const refused = await ofConsole('tickets.list', firm.slug);
    expect([refused.status, refused.code]).toEqual([403, 'workspace_not_permitted']);
    expect(refused.text).toContain('staff.firms.enter');
    expect((await ofConsole('firm.settings.set', firm.slug, { name: 'Mine' })).code).toBe(
      'workspace_not_permitted',
    );
    const socket = await openSocket(gateway.url, {
      params: { workspace: firm.slug },
      headers: { cookie: `firmdesk_session_platform=${token}`, origin: gateway.url },
    });
    expect(JSON.stringify(await socket.call('query', 'tickets.list', {}))).toContain(
      'workspace_not_permitted',
    );
    socket.ws.terminate();
    // A phone names the firm alone (contract §1.5).
    expect((await gateway.request(TICKETS, { token, workspace: firm.slug })).status).toBe(200);
    expect((await account()).data.needs_reason).toBe(true);
    const reason = { workspace: firm.slug, reason: 'Ticket 4711' };
    expect((await rpc('staff.firms.enter', { ...reason, reason: ' ' }, token)).code).toBe(
      'validation_failed',
    );
    expect((await rpc('staff.firms.enter', reason, token)).code).toBeNull();
    expect((await account()).data.needs_reason).toBe(false);
    expect(await list(firm.slug)).toBeNull();
    expect(await list(other.slug)).toBe('workspace_not_permitted');
    const { body } = await signInAt(gateway)(user.email);
    expect(await list(firm.slug, body.data.token)).toBe('workspace_not_permitted');
    expect(await trail(firm.slug)).toContainEqual({
      action: 'firm.entered_by_staff',
      actor: user.id,
      after: { reason: 'Ticket 4711' },
    });
  });

  test('leaves what it reads in the audit log of the firm, once an hour for each kind of data', async () => {
    const firm = await createWorkspace(services);
    const { token } = await signedIn([firm]);
    await rpc('staff.firms.enter', { workspace: firm.slug, reason: 'Ticket 4711' }, token);
    const key = await staffOf([firm]);
    for (let i = 0; i < 3; i++) {
      expect((await gateway.request(TICKETS, { token, workspace: firm.slug })).status).toBe(200);
      expect((await rpc('firm.members.traders', {}, token, firm.slug)).code).toBeNull();
      expect((await gateway.request(TICKETS, { token: key.token, workspace: firm.slug })).status).toBe(200);
    }
    expect((await reads(firm.slug)).sort()).toEqual(['firm.members.traders', 'tickets', 'tickets']);
    gateway.clock.advance(60 * MINUTE_MS);
    await gateway.request(TICKETS, { token, workspace: firm.slug });
    expect(await reads(firm.slug)).toHaveLength(4);
    const member = await createUserWithToken(gateway, { firm, permissions: [...permissions] });
    await gateway.request(TICKETS, { token: member.token });
    expect(await reads(firm.slug)).toHaveLength(4);
  });

  test('is confirmed before it creates, suspends or resumes a firm; an API key does none of it', async () => {
    const firm = await createWorkspace(services);
    const { token } = await signedIn();
    gateway.clock.advance(5 * MINUTE_MS);
    const { text: key } = await createToken(services, {
      user: await createStaff(services, 'all'),
      workspace: PLATFORM,
    });
    await services.pool.query('update tokens set verified_at = null where kind = $1', ['api_key']);
    const reasoned = { workspace: firm.slug, reason: 'Unpaid' };
    const calls: [string, object][] = [
      ['create', { slug: unique('firm'), name: 'New' }],
      ['suspend', reasoned],
      ['resume', reasoned],
    ];
    for (const as of [token, key])
      for (const [name, body] of calls)
        expect((await rpc(`staff.firms.${name}`, body, as)).code, name).toBe('fresh_sign_in_required');
    expect((await rpc('sessions.confirm', { password: PASSWORD }, token)).code).toBeNull();
    expect((await rpc('staff.firms.suspend', reasoned, token)).data).toMatchObject({ state: 'suspended' });
  });
});
