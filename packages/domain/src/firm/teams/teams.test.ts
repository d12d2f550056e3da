import { type FirmStreamEvent, type FirmTeam, permissions } from '@firmdesk/contract';
import { createTeam, createTicket, createUser, type TestUser } from '@firmdesk/testing';
import { createUserWithToken, type Firm, follow, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { runBulkChange } from '../../tickets/bulk/run-bulk-change.ts';

const gateway = await suiteGateway();
const { services } = gateway;
let firm: Firm;
let user: TestUser;
let token: string;
let agent: TestUser;

beforeEach(async () => {
  ({ firm, user, token } = await createUserWithToken(gateway, { permissions: [...permissions] }));
  agent = await createUser(services, { firm, permissions: ['view_tickets', 'manage_tickets'] });
});

const rpc = (procedure: string, body: object = {}, as = token) =>
  gateway.rpc(`firm.teams.${procedure}`, { token: as, body });
const call = async (procedure: string, body: object = {}) => {
  const answer = await rpc(procedure, body);
  expect(answer.code, answer.text).toBeNull();
  return answer.data;
};
const teams = async (): Promise<FirmTeam[]> => (await call('list')).data;
const trail = async () => {
  const { rows } = await services.pool.query(
    `select action, actor, before, after from audit_events where workspace_id = $1 and target_type = 'team' order by id`,
    [firm.id],
  );
  return rows;
};

describe('teams', () => {
  test('are created, renamed and staffed, seen by other windows and in the audit trail', async () => {
    using stream = await follow<FirmStreamEvent>(gateway.url, { token }, (trpc, handlers) =>
      trpc.firm.live.subscribe({}, handlers),
    );
    const { id } = await call('create', { name: 'Payouts', members: [agent.id] });
    expect((await rpc('create', { name: 'payouts' })).code).toBe('validation_failed');
    await call('create', { name: 'Fraud' });
    expect((await rpc('update', { id, name: 'FRAUD' })).code).toBe('validation_failed');
    await call('update', { id, name: 'Money' });
    await call('update', { id, members: [user.id] });
    await call('update', { id });
    expect((await teams()).map(({ name, members }) => [name, members.map((each) => each.id)])).toEqual([
      ['Fraud', []],
      ['Money', [user.id]],
    ]);
    await expect
      .poll(() => stream.events.map(({ data }) => data))
      .toContainEqual({ type: 'firm.changed', what: 'teams' });
    expect(await trail()).toEqual([
      {
        action: 'team.created',
        actor: user.id,
        before: null,
        after: { name: 'Payouts', members: [agent.id] },
      },
      { action: 'team.created', actor: user.id, before: null, after: { name: 'Fraud', members: [] } },
      {
        action: 'team.changed',
        actor: user.id,
        before: { name: 'Payouts', members: [agent.id] },
        after: { name: 'Money', members: [agent.id] },
      },
      {
        action: 'team.changed',
        actor: user.id,
        before: { name: 'Money', members: [agent.id] },
        after: { name: 'Money', members: [user.id] },
      },
    ]);
  });

  test('have members of the firm only, and those of other firms are not found', async () => {
    const trader = await createUser(services, { firm, role: 'trader' });
    const foreign = await createUserWithToken(gateway, { permissions: [...permissions] });
    for (const { id } of [trader, foreign.user])
      expect((await rpc('create', { name: 'Payouts', members: [id] })).code).toBe('validation_failed');
    const theirs = await createTeam(services, { firm: foreign.firm, members: [] });
    const { id } = await call('create', { name: 'Payouts' });
    expect((await rpc('update', { id: theirs, name: 'Ours' })).code).toBe('resource_not_found');
    expect((await rpc('delete', { id: theirs, reassign_to: null })).code).toBe('resource_not_found');
    expect((await rpc('delete', { id, reassign_to: theirs })).code).toBe('validation_failed');
    expect(await teams()).toHaveLength(1);
  });

  test('leave their open tickets and macros to another team when they are deleted', async () => {
    const trader = await createUser(services, { firm, role: 'trader' });
    const { id } = await call('create', { name: 'Payouts' });
    const other = await call('create', { name: 'Fraud' });
    const open = await createTicket(services, { firm, trader, team: id, status: 'awaiting_admin' });
    const ended = await createTicket(services, { firm, trader, team: id, status: 'closed' });
    await services.pool.query(
      `insert into macros (workspace_id, id, position, name, name_key, texts, tag_ids, assigns_author, team_id, created_at)
       values ($1, 'mac_paid', 1, 'Paid', 'paid', '[]', '{}', false, $2, now())`,
      [firm.id, id],
    );
    expect((await teams()).find((team) => team.id === id)).toMatchObject({ open_tickets: 1, macros: 1 });
    const setter = await createUserWithToken(gateway, { firm, permissions: ['manage_settings'] });
    expect((await rpc('delete', { id, reassign_to: other.id }, setter.token)).code).toBe('forbidden');
    expect((await rpc('delete', { id, reassign_to: id })).code).toBe('validation_failed');
    const deleted = await call('delete', { id, reassign_to: other.id });
    await runBulkChange(services, { workspace: firm.id, id: deleted.bulk_change });
    const { rows } = await services.pool.query('select id, team_id from tickets where workspace_id = $1', [
      firm.id,
    ]);
    expect(new Map(rows.map((row) => [row.id, row.team_id]))).toEqual(
      new Map([
        [open, other.id],
        [ended, null],
      ]),
    );
    expect(await teams()).toMatchObject([{ id: other.id, open_tickets: 1, macros: 1 }]);
    // Without another, nothing is assigned, which needs no right to change tickets.
    expect((await rpc('delete', { id: other.id, reassign_to: null }, setter.token)).code).toBeNull();
    expect(await teams()).toEqual([]);
  });
});
