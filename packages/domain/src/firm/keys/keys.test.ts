import { type ApiKey, permissions, scopes } from '@firmdesk/contract';
import { createToken, createUser, type TestUser } from '@firmdesk/testing';
import { createUserWithToken, type Firm, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';

const gateway = await suiteGateway();
const { services } = gateway;
let firm: Firm;
let user: TestUser;
let token: string;

beforeEach(async () => {
  ({ firm, user } = await createUserWithToken(gateway, { permissions: [...permissions] }));
  token = (await createToken(services, { user, workspace: firm.slug, kind: 'device', scopes: [...scopes] }))
    .text;
});

const rpc = (procedure: string, body: object = {}, as = token) =>
  gateway.rpc(`firm.keys.${procedure}`, { token: as, body });
const call = async (procedure: string, body: object = {}) => {
  const answer = await rpc(procedure, body);
  expect(answer.code, answer.text).toBeNull();
  return answer.data;
};
const create = (over: object = {}) =>
  call('create', { name: 'Reports', environment: 'live', scopes: ['admin:read'], ...over });
const find = async (id: string): Promise<ApiKey | undefined> =>
  (await call('list')).data.find((key: ApiKey) => key.id === id);
const ping = (as: string) => gateway.request('GET /v1/ping', { token: as });

describe('API keys', () => {
  test('are created with scopes, name and expiry, for live and test data, and show the secret once', async () => {
    const { token: secret, ...key } = await create({ expires_in_days: 30 });
    expect(key).toMatchObject({
      object: 'api_key',
      name: 'Reports',
      environment: 'live',
      scopes: ['admin:read'],
      member: { id: user.id },
      last_used_at: null,
    });
    const { body } = await ping(secret);
    expect(body.data).toMatchObject({ api_key: key.id, environment: 'live', scopes: ['admin:read'] });
    const sandboxed = await create({ environment: 'test' });
    expect((await ping(sandboxed.token)).body.data).toMatchObject({ environment: 'test' });
    const listed = await find(key.id);
    expect(listed?.last_used_at).not.toBeNull();
    expect(JSON.stringify((await rpc('list')).data)).not.toContain(secret.slice(-47));
    const { rows } = await services.pool.query(
      `select row_to_json(k)::text as stored from idempotency_keys k union all select row_to_json(t)::text from tokens t where id = $1`,
      [key.id],
    );
    for (const { stored } of rows) expect(stored).not.toContain(secret.slice(-47, -7));
  });

  test('get no scope that the token of the caller lacks, and none of the platform', async () => {
    const weak = await createToken(services, { user, workspace: firm.slug, scopes: ['admin:write'] });
    const input = { name: 'Mail', environment: 'live', scopes: ['mail:read'] };
    expect((await rpc('create', input, weak.text)).code).toBe('validation_failed');
    expect((await rpc('create', { ...input, scopes: ['platform:write'] })).code).toBe('validation_failed');
  });

  test('with a scope that only an operator gives are neither created nor rotated, nor those beyond the token of the caller', async () => {
    const input = { name: 'Codes', environment: 'live', scopes: ['affiliates:write'] };
    expect((await rpc('create', input)).code).toBe('validation_failed');
    for (const scope of ['affiliates:write', 'platform:write'] as const) {
      const { id } = await createToken(services, { user, workspace: firm.slug, scopes: [scope] });
      expect((await rpc('rotate', { id })).code).toBe('forbidden');
    }
    const { id } = await create({ scopes: ['mail:read'] });
    const weak = await createToken(services, { user, workspace: firm.slug, scopes: ['admin:write'] });
    expect((await rpc('rotate', { id }, weak.text)).code).toBe('forbidden');
  });

  test('are rotated by their member alone, with an overlap, and revoked by everybody with the permission', async () => {
    const { id, token: first } = await create();
    const { token: second, previous_until } = await call('rotate', { id, overlap_hours: 1 });
    expect(previous_until).not.toBeNull();
    expect([(await ping(first)).status, (await ping(second)).status]).toEqual([200, 200]);
    const { token: third } = await call('rotate', { id, overlap_hours: 0 });
    expect([(await ping(second)).status, (await ping(third)).status]).toEqual([401, 200]);

    const other = await createUserWithToken(gateway, { firm, permissions: ['manage_tokens'] });
    expect((await rpc('rotate', { id }, other.token)).code).toBe('resource_not_found');
    expect((await rpc('revoke', { id }, other.token)).code).toBeNull();
    expect((await ping(third)).body.error.code).toBe('revoked_token');
    expect(await find(id)).toBeUndefined();
    expect((await rpc('revoke', { id })).code).toBe('resource_not_found');
    const { rows } = await services.pool.query(
      `select action, actor from audit_events where workspace_id = $1 and target_id = $2 order by id`,
      [firm.id, id],
    );
    expect(rows).toEqual([
      { action: 'token.issued', actor: user.id },
      { action: 'token.rotated', actor: user.id },
      { action: 'token.rotated', actor: user.id },
      { action: 'token.revoked', actor: other.user.id },
    ]);
  });

  test('need the permission, and sessions, keys of other firms and sandbox tokens have no access', async () => {
    const agent = await createUserWithToken(gateway, { firm, permissions: ['manage_members'] });
    expect((await rpc('list', {}, agent.token)).code).toBe('forbidden');
    const session = await createToken(services, { user, workspace: firm.slug, kind: 'device' });
    const foreign = await createUserWithToken(gateway, { permissions: [...permissions] });
    const { rows } = await services.pool.query('select id from tokens where user_id = $1', [foreign.user.id]);
    for (const id of [session.id, rows[0].id])
      expect((await rpc('revoke', { id })).code).toBe('resource_not_found');
    const key = await create({ environment: 'test', scopes: ['admin:read'] });
    expect((await rpc('list', {}, key.token)).code).toBe('forbidden');
  });

  test('end with the membership of their member', async () => {
    const ben = await createUser(services, { firm, permissions: ['manage_tokens'] });
    const bens = await createToken(services, {
      user: ben,
      workspace: firm.slug,
      kind: 'device',
      scopes: [...scopes],
    });
    const answer = await rpc(
      'create',
      { name: 'Mine', environment: 'test', scopes: ['admin:read'] },
      bens.text,
    );
    expect((await gateway.rpc('firm.members.dismiss', { token, body: { id: ben.id } })).code).toBeNull();
    expect((await ping(answer.data.token)).body.error.code).toBe('revoked_token');
  });
});
