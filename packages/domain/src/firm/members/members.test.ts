import { type FirmStreamEvent, type Member, permissions } from '@firmdesk/contract';
import { createTeam, createTicket, createToken, createUser, type TestUser } from '@firmdesk/testing';
import { createUserWithToken, type Firm, follow, openSocket, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { runBulkChange } from '../../tickets/bulk/run-bulk-change.ts';

const gateway = await suiteGateway();
const { services } = gateway;
let firm: Firm;
let user: TestUser;
let token: string;
let agent: { user: TestUser; token: string };

beforeEach(async () => {
  ({ firm, user, token } = await createUserWithToken(gateway, { permissions: [...permissions] }));
  agent = await createUserWithToken(gateway, { firm, permissions: ['view_tickets', 'manage_tickets'] });
});

const rpc = (procedure: string, body: object = {}, as = token) =>
  gateway.rpc(`firm.members.${procedure}`, { token: as, body });
const call = async (procedure: string, body: object = {}, as = token) => {
  const answer = await rpc(procedure, body, as);
  expect(answer.code, answer.text).toBeNull();
  return answer.data;
};
const members = async (): Promise<Member[]> => (await call('list')).data;
const find = async (id: string) => (await members()).find((each) => each.id === id);
const trail = async () => {
  const { rows } = await services.pool.query(
    `select action, actor_kind, actor, target_id, before, after from audit_events where workspace_id = $1 and action like 'user.%'
       and action not in ('user.added') order by id`,
    [firm.id],
  );
  return rows;
};

describe('members', () => {
  test('are listed without the traders, who are a list of their own', async () => {
    const traders = [];
    for (let i = 0; i < 3; i++) traders.push(await createUser(services, { firm, role: 'trader' }));
    await createUserWithToken(gateway, { permissions: [...permissions] });
    expect((await members()).map(({ id }) => id).sort()).toEqual([user.id, agent.user.id].sort());
    expect(await find(agent.user.id)).toMatchObject({
      state: 'active',
      permissions: ['view_tickets', 'manage_tickets'],
    });
    const first = await call('traders', { limit: 2 });
    const second = await call('traders', { limit: 2, starting_after: first.meta.next_cursor });
    const listed = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
    expect(listed.sort()).toEqual(traders.map(({ id }) => id).sort());
    expect(second.meta).toEqual({ has_more: false, next_cursor: null });
  });

  test('finds traders by parts of names and addresses, and sorts all of them, not a page', async () => {
    const add = (name: string, email: string) =>
      createUser(services, { firm, role: 'trader', name, email: `${email}.${firm.slug}@example.com` });
    for (const [name, email, added] of [
      ['Zoé Adams', 'first', '2026-01-01'],
      ['élodie Brun', 'second', '2026-01-02'],
      ['100% Cara', 'third', '2026-01-03'],
    ] as const) {
      const { id } = await add(name, email);
      await services.pool.query('update memberships set created_at = $2 where user_id = $1', [id, added]);
    }
    const foreign = await createUserWithToken(gateway, { permissions: [...permissions] });
    await createUser(services, { firm: foreign.firm, role: 'trader', name: 'Zoe Other' });
    const names = async (input: object): Promise<string[]> =>
      (await call('traders', input)).data.map(({ name }: { name: string }) => name);
    expect(await names({ q: 'ZOE' })).toEqual(['Zoé Adams']);
    expect(await names({ q: ' first  ada ' })).toEqual(['Zoé Adams']);
    expect(await names({ q: '%' })).toEqual(['100% Cara']);
    expect(await names({ q: 'nobody' })).toEqual([]);
    expect(await names({ q: '', sort: 'name' })).toEqual(['100% Cara', 'élodie Brun', 'Zoé Adams']);
    expect(await names({ sort: '-name' })).toEqual(['Zoé Adams', 'élodie Brun', '100% Cara']);
    expect(await names({ sort: 'created_at' })).toEqual(['Zoé Adams', 'élodie Brun', '100% Cara']);
    const oldest = await call('traders', { sort: 'created_at', limit: 1 });
    expect(await names({ sort: 'created_at', starting_after: oldest.meta.next_cursor })).toEqual([
      'élodie Brun',
      '100% Cara',
    ]);
    const odd = Buffer.from('["created_at","2026-02-30","usr_1"]').toString('base64url');
    expect((await rpc('traders', { sort: 'created_at', starting_after: odd })).code).toBe('invalid_cursor');
    const { meta } = await call('traders', { sort: 'name', limit: 1 });
    expect(await names({ sort: 'name', starting_after: meta.next_cursor })).toEqual([
      'élodie Brun',
      'Zoé Adams',
    ]);
    for (const starting_after of [meta.next_cursor, 'x', Buffer.from('["-name"]').toString('base64url')])
      expect((await rpc('traders', { sort: '-name', starting_after })).code).toBe('invalid_cursor');
    expect((await rpc('traders', { sort: 'email' })).code).toBe('invalid_sort');
    expect((await rpc('traders', { q: 'x'.repeat(101) })).code).toBe('validation_failed');
  });

  test('get permissions, which other windows see, which are in the audit trail and which count at once', async () => {
    // A window of somebody whose own rights stay, and with them the stream.
    using stream = await follow<FirmStreamEvent>(gateway.url, { token }, (trpc, handlers) =>
      trpc.firm.live.subscribe({}, handlers),
    );
    expect((await rpc('list', {}, agent.token)).code).toBe('forbidden');
    const wanted = ['view_tickets', 'manage_members'];
    expect(await call('update', { id: agent.user.id, permissions: wanted })).toMatchObject({
      id: agent.user.id,
      permissions: wanted,
    });
    expect((await rpc('list', {}, agent.token)).code).toBeNull();
    await expect
      .poll(() => stream.events.map(({ data }) => data))
      .toContainEqual({ type: 'firm.changed', what: 'members' });
    expect(await trail()).toEqual([
      {
        action: 'user.permissions_changed',
        actor_kind: 'account',
        actor: user.id,
        target_id: agent.user.id,
        before: { permissions: ['view_tickets', 'manage_tickets'] },
        after: { permissions: wanted },
      },
    ]);
  });

  test('get no permission from somebody who does not hold it', async () => {
    const lead = await createUserWithToken(gateway, {
      firm,
      permissions: ['manage_members', 'view_tickets'],
    });
    const give = (...given: string[]) =>
      rpc('update', { id: lead.user.id, permissions: ['manage_members', ...given] }, lead.token);
    const refused = await give('view_payouts');
    expect(refused.code).toBe('validation_failed');
    expect(refused.text).toContain('view_payouts');
    expect((await give('view_tickets')).code).toBeNull();
    // Also not by making somebody a member again.
    const strong = await createUser(services, { firm, permissions: ['view_payouts'] });
    expect((await rpc('dismiss', { id: strong.id })).code).toBeNull();
    expect((await rpc('readmit', { id: strong.id }, lead.token)).code).toBe('validation_failed');
  });

  test('lose no permission to somebody who holds less', async () => {
    const lead = await createUserWithToken(gateway, {
      firm,
      permissions: ['manage_members', 'view_tickets'],
    });
    const { id } = agent.user;
    const take = (...left: string[]) => rpc('update', { id, permissions: left }, lead.token);
    expect((await take('manage_tickets')).code).toBe('forbidden');
    expect((await rpc('dismiss', { id }, lead.token)).code).toBe('forbidden');
    expect((await find(id))?.permissions).toEqual(['view_tickets', 'manage_tickets']);
    // To give one, and to take from an equal, stays possible.
    expect((await take('view_tickets', 'manage_tickets', 'manage_members')).code).toBeNull();
    await call('update', { id, permissions: ['view_tickets', 'manage_members'] });
    expect((await take('manage_members')).code).toBeNull();
    expect((await rpc('dismiss', { id }, lead.token)).code).toBeNull();
  });

  test('leave the firm one who can manage members, also when two change each other at once', async () => {
    expect((await rpc('update', { id: user.id, permissions: ['view_tickets'] })).code).toBe(
      'validation_failed',
    );
    expect((await rpc('dismiss', { id: user.id })).code).toBe('validation_failed');
    const other = await createUserWithToken(gateway, { firm, permissions: [...permissions] });
    const codes = await Promise.all([
      rpc('dismiss', { id: other.user.id }).then(({ code }) => code),
      rpc('dismiss', { id: user.id }, other.token).then(({ code }) => code),
    ]);
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    const { rows } = await services.pool.query(
      `select from memberships where workspace_id = $1 and active and 'manage_members' = any(permissions)`,
      [firm.id],
    );
    expect(rows).toHaveLength(1);
  });

  test('are dismissed: a preview says what ends, the sockets close, and the tickets go to a colleague', async () => {
    const trader = await createUser(services, { firm, role: 'trader' });
    const colleague = await createUser(services, { firm, permissions: ['view_tickets', 'manage_tickets'] });
    const ticket = await createTicket(services, {
      firm,
      trader,
      assignee: agent.user,
      status: 'awaiting_admin',
    });
    await createTicket(services, { firm, trader, assignee: agent.user, status: 'closed' });
    await createTeam(services, { firm, members: [agent.user] });
    await createToken(services, { user: agent.user, workspace: firm.slug, kind: 'device' });
    const socket = await openSocket(gateway.url, { params: { token: agent.token } });
    const id = agent.user.id;
    expect(await call('previewDismissal', { id })).toEqual({
      object: 'member_dismissal',
      id,
      tickets: 1,
      sessions: 1,
      api_keys: 1,
      mailboxes: 0,
      calendars: 0,
      teams: 1,
      delayed_sends: 0,
    });
    expect((await rpc('dismiss', { id, reassign_to: trader.id })).code).toBe('validation_failed');
    expect((await rpc('dismiss', { id, reassign_to: id })).code).toBe('validation_failed');
    expect((await find(id))?.state).toBe('active');

    const dismissed = await call('dismiss', { id, reassign_to: colleague.id });
    expect(dismissed.bulk_change).toMatch(/^blk_/);
    expect(await socket.closed).toEqual([4401, 'the token has ended']);
    expect((await find(id))?.state).toBe('dismissed');
    await runBulkChange(services, { workspace: firm.id, id: dismissed.bulk_change });
    const { rows } = await services.pool.query('select assignee_id from tickets where id = $1', [ticket]);
    expect(rows[0].assignee_id).toBe(colleague.id);
    expect((await rpc('dismiss', { id })).code).toBe('resource_not_found');

    expect(await call('readmit', { id })).toMatchObject({ state: 'active' });
    expect(await call('readmit', { id })).toMatchObject({ state: 'active' });
    expect((await trail()).map(({ action, actor }) => [action, actor])).toEqual([
      ['user.dismissed', user.id],
      ['user.readmitted', user.id],
    ]);
  });

  test('are not assigned tickets by somebody who may not change tickets', async () => {
    const lead = await createUserWithToken(gateway, {
      firm,
      permissions: ['manage_members', 'view_tickets'],
    });
    const { id } = (await createUserWithToken(gateway, { firm, permissions: ['view_tickets'] })).user;
    expect((await rpc('dismiss', { id, reassign_to: null }, lead.token)).code).toBe('forbidden');
    expect((await rpc('dismiss', { id }, lead.token)).code).toBeNull();
  });

  test('are not changed from the sandbox, and traders and members of other firms are not found', async () => {
    const input = { user, workspace: firm.slug, environment: 'test' } as const;
    const { text } = await createToken(services, { ...input, scopes: ['admin:read', 'admin:write'] });
    expect((await rpc('list', {}, text)).code).toBe('forbidden');
    expect((await rpc('update', { id: agent.user.id, permissions: [] }, text)).code).toBe('forbidden');
    const trader = await createUser(services, { firm, role: 'trader' });
    const foreign = await createUserWithToken(gateway, { permissions: [] });
    for (const { id } of [trader, foreign.user])
      for (const procedure of ['previewDismissal', 'dismiss', 'readmit'])
        expect((await rpc(procedure, { id })).code, procedure).toBe('resource_not_found');
  });
});
