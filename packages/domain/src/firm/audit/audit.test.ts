import { type AuditEntry, permissions } from '@firmdesk/contract';
import { createTicket, createToken, createUser, type TestUser } from '@firmdesk/testing';
import { createUserWithToken, type Firm, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const gateway = await suiteGateway();
const { services } = gateway;
let firm: Firm;
let user: TestUser;
let token: string;

beforeEach(async () => {
  ({ firm, user, token } = await createUserWithToken(gateway, { permissions: [...permissions] }));
});

const list = async (
  body: object = {},
  as = token,
): Promise<{ data: AuditEntry[]; meta: { next_cursor: string } }> => {
  const answer = await gateway.rpc('firm.audit.list', { token: as, body });
  expect(answer.code, answer.text).toBeNull();
  return answer.data;
};

describe('the audit log', () => {
  test('says who changed what, before and after, and is filtered by person, object, kind and day', async () => {
    const agent = await createUser(services, { firm, name: 'Ben Best', permissions: ['view_tickets'] });
    const body = { id: agent.id, permissions: ['manage_tickets'] };
    await gateway.rpc('firm.members.update', { token, body });
    const [entry] = (await list({ person: user.id })).data;
    expect(entry).toMatchObject({
      object: 'audit_event',
      actor: { kind: 'account', id: user.id, name: 'Robin Example' },
      network: '127.0.0.0/24',
      action: 'user.permissions_changed',
      target: { type: 'user', id: agent.id, name: 'Ben Best' },
      before: { permissions: ['view_tickets'] },
      after: { permissions: ['manage_tickets'] },
    });
    const actions = async (filter: object) => (await list(filter)).data.map(({ action }) => action);
    expect(await actions({ target: agent.id })).toEqual(['user.permissions_changed', 'user.added']);
    expect(await actions({ kind: 'firm' })).toEqual(['firm.added']);
    expect(await actions({ target: agent.id, since: '2001-01-01', until: '2001-01-02' })).toEqual([]);
    const today = entry!.created_at.slice(0, 10);
    expect(await actions({ person: user.id, since: today, until: today })).toEqual([
      'user.permissions_changed',
    ]);
  });

  test('names the object of each entry as it is called today, and none of another firm', async () => {
    const call = async (procedure: string, body: object): Promise<{ id: string | number }> => {
      const answer = await gateway.rpc(procedure, { token, body });
      expect(answer.code, answer.text).toBeNull();
      return answer.data;
    };
    const { id: team } = await call('firm.teams.create', { name: 'Risk', members: [] });
    await call('firm.teams.update', { id: team, name: 'Risk desk', members: [] });
    const { id: tag } = await call('firm.tags.create', { name: 'VIP', color: '#c2410c' });
    await call('knowledge.create', { title: 'Fees', text: 'None.' });
    const foreign = await createUserWithToken(gateway, { permissions: [...permissions] });
    await services.pool.query(
      `insert into audit_events (workspace_id, created_at, actor_kind, action, target_type, target_id)
       values ($1, now(), 'system', 'tag.created', 'tag', $2)`,
      [foreign.firm.id, String(tag)],
    );
    const names = async (as = token) =>
      (await list({}, as)).data.map(({ action, target }) => `${action} ${target.name}`);
    expect(await names()).toEqual(
      expect.arrayContaining([
        'team.created Risk desk',
        'team.changed Risk desk',
        'tag.created VIP',
        'article.created Fees',
        `firm.added ${firm.name}`,
      ]),
    );
    expect(await names(foreign.token)).toContain('tag.created null');
    await call('firm.teams.delete', { id: team, reassign_to: null });
    expect(await names()).toEqual(expect.arrayContaining(['team.deleted null', 'tag.created VIP']));
  });

  test('is read page by page, each entry once, also where many have one time', async () => {
    await services.pool.query(
      `insert into audit_events (workspace_id, created_at, actor_kind, action, target_type, target_id)
       select $1, '2020-01-01', 'system', 'macro.created', 'macro', 'mac_' || n from generate_series(1, 30) n`,
      [firm.id],
    );
    const seen: number[] = [];
    let from: string | undefined;
    do {
      const page = await list({ kind: 'macro', limit: 7, ...(from && { starting_after: from }) });
      seen.push(...page.data.map(({ id }) => id));
      from = page.meta.next_cursor ?? undefined;
    } while (from);
    expect([seen.length, new Set(seen).size]).toEqual([30, 30]);
  });

  test('shows changes of a ticket only with its target, and nothing of other firms and of the sandbox', async () => {
    const trader = await createUser(services, { firm, role: 'trader' });
    const ticket = await createTicket(services, { firm, trader });
    await services.pool.query(
      `insert into audit_events (workspace_id, created_at, actor_kind, action, target_type, target_id)
       values ($1, now(), 'system', 'ticket.changed', 'ticket', $2)`,
      [firm.id, ticket],
    );
    expect((await list()).data.map(({ action }) => action)).not.toContain('ticket.changed');
    expect((await list({ target: ticket })).data).toHaveLength(1);
    const foreign = await createUserWithToken(gateway, { permissions: [...permissions] });
    expect((await list({ target: ticket }, foreign.token)).data).toEqual([]);
    const sandboxed = await createToken(services, {
      user,
      workspace: firm.slug,
      environment: 'test',
      scopes: ['admin:read'],
    });
    expect((await list({}, sandboxed.text)).data).toEqual([]);
  });
});

test('any cursor and any days are answered', async () => {
  for (const starting_after of ['9999999999999.999999999999999', '0.0', '999999999999999.1', '1.x'])
    for (const days of [{}, { since: '0000-01-01', until: '9999-12-31' }]) {
      const answer = await gateway.rpc('firm.audit.list', { token, body: { starting_after, ...days } });
      expect([answer.status, answer.code], answer.text).toEqual(
        starting_after.startsWith('9'.repeat(14)) || starting_after === '1.x'
          ? [400, 'invalid_cursor']
          : [200, null],
      );
    }
});
