import { PLATFORM, type PreRegisterInput, type PreRegistration } from '@firmdesk/contract';
import { createStaff, createToken, createWorkspace, unique } from '@firmdesk/testing';
import { commonCases, createUserWithToken, type Firm, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeEach, describe, expect, test } from 'vitest';
import { claimPreRegistration, preRegister, revokePreRegistration, withTransaction } from '../index.ts';

const LIST = 'GET /v1/affiliates/pre-registrations';
const gateway = await suiteGateway();
let firm: Firm;
let token: string;

beforeEach(async () => {
  ({ firm, token } = await createUserWithToken(gateway, { scopes: ['affiliates:write'] }));
});

/** Creates a user of the firm, and returns a token. */
const tokenOf = async (at: Firm, about: Parameters<typeof createUserWithToken>[1] = {}) =>
  (await createUserWithToken(gateway, { ...about, firm: at })).token;

const input = (over: Partial<PreRegisterInput> = {}): PreRegisterInput => ({
  email: 'kim@example.com',
  referral_code: unique('KIM'),
  referral_url: 'https://firm.example/?ref=KIM',
  source: 'api',
  metadata: {},
  ...over,
});

/** Reserves a code, a second after the previous one. */
function reserve(over: Partial<PreRegisterInput> = {}, at = firm): Promise<PreRegistration> {
  gateway.clock.advance(1000);
  return withTransaction(gateway.services, (ctx) => preRegister({ ...ctx, workspace: at }, input(over)));
}
const inFirm = <T>(operation: (ctx: Parameters<typeof preRegister>[0]) => Promise<T>) =>
  withTransaction(gateway.services, (ctx) => operation({ ...ctx, workspace: firm }));
const inMs = (milliseconds: number) => new Date(gateway.clock.now().getTime() + milliseconds).toISOString();
const list = (query = '', as = token) => gateway.request(`${LIST}${query && `?${query}`}`, { token: as });
const idsOf = async (query = '', as = token) => {
  const { status, body } = await list(query, as);
  expect([query, status]).toEqual([query, 200]);
  return (body.data as PreRegistration[]).map(({ id }) => id);
};

commonCases(gateway, LIST, async () => ({ query: 'limit=5' }));

describe('the list', () => {
  test('returns exactly the fields of the contract', async () => {
    const { id, referral_code } = await reserve({
      metadata: { campaign: 'spring', tier: 2 },
      source: 'website',
    });
    const now = gateway.clock.now().toISOString();
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: [
        {
          id,
          object: 'affiliate_pre_registration',
          email: 'kim@example.com',
          referral_code,
          referral_url: 'https://firm.example/?ref=KIM',
          status: 'pending',
          source: 'website',
          metadata: { campaign: 'spring', tier: 2 },
          created_at: now,
          expires_at: null,
          claimed_at: null,
          last_sent_at: now,
        },
      ],
      meta: { request_id: expect.stringMatching(/^req_/), has_more: false, next_cursor: null },
    });
    expect(id).toMatch(/^aff_pre_/);
  });

  test('is ordered newest first, in pages', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await reserve()).id);
    const first = await list('limit=2');
    expect(first.body.meta).toMatchObject({ has_more: true, next_cursor: ids[1] });
    const second = await list(`limit=2&starting_after=${ids[1]}`);
    expect(second.body.data.map(({ id }: PreRegistration) => id)).toEqual(ids.slice(2, 4));
    const last = await list(`limit=2&starting_after=${ids[3]}`);
    expect(last.body.data.map(({ id }: PreRegistration) => id)).toEqual(ids.slice(4));
    expect(last.body.meta).toMatchObject({ has_more: false, next_cursor: null });
    expect((await list('limit=5')).body.meta).toMatchObject({ has_more: false, next_cursor: null });
    expect(await idsOf(`starting_after=${ids[4]}`)).toEqual([]);
  });

  test('filters by status; `pending` past `expires_at` is `expired`', async () => {
    const pending = await reserve({ expires_at: inMs(3_600_000) });
    const claimed = await reserve();
    await inFirm((ctx) => claimPreRegistration(ctx, claimed));
    const revoked = await reserve();
    await inFirm((ctx) => revokePreRegistration(ctx, revoked));
    const expired = await reserve({ expires_at: inMs(2000) });
    gateway.clock.advance(999);
    expect(await idsOf('status=pending')).toEqual([expired.id, pending.id]);
    expect(await idsOf('status=expired')).toEqual([]);
    gateway.clock.advance(1);
    expect(await idsOf('status=pending')).toEqual([pending.id]);
    expect(await idsOf('status=expired')).toEqual([expired.id]);
    expect(await idsOf('status=claimed')).toEqual([claimed.id]);
    expect(await idsOf('status=revoked')).toEqual([revoked.id]);
    const { body } = await list();
    expect(body.data.map(({ status }: PreRegistration) => status)).toEqual([
      'expired',
      'revoked',
      'claimed',
      'pending',
    ]);
    expect(body.data[2].claimed_at).toBe(inMs(-3000));
    // A cursor need not match the filter.
    expect(await idsOf(`status=pending&starting_after=${revoked.id}`)).toEqual([pending.id]);
  });

  test('filters by exact email, case-insensitively; an invalid email matches nothing', async () => {
    const { id } = await reserve({ email: 'Kim.O@Example.com' });
    await reserve({ email: 'lee@example.com' });
    expect(await idsOf('email=kim.o%40example.COM')).toEqual([id]);
    expect(await idsOf(`email=kim.o@example.com&status=pending`)).toEqual([id]);
    expect(await idsOf(`email=kim.o@example.com&status=claimed`)).toEqual([]);
    for (const email of ['', 'kim', '%25', 'kim_o@example.com', '%20kim.o@example.com', "'--"]) {
      expect(await idsOf(`email=${email}`)).toEqual([]);
    }
    for (const query of ['email=a%00b', 'email=%FF', 'email=kim.o@example.com&email=lee@example.com']) {
      const { status, body } = await list(query);
      expect([query, status, body.error?.code]).toEqual([query, 400, 'validation_failed']);
    }
  });
});

describe('query values', () => {
  test('`limit` is 1 to 100; more counts as 100; other values are invalid_limit', async () => {
    for (const [limit, count] of [
      ['1', 1],
      ['2', 2],
      ['100', 3],
      ['101', 3],
      ['9'.repeat(30), 3],
    ] as const) {
      while ((await idsOf()).length < 3) await reserve();
      expect(await idsOf(`limit=${limit}`)).toHaveLength(count);
    }
    for (const limit of [
      '0',
      '00',
      '01',
      '-1',
      '%2B5',
      '+5',
      '1.5',
      '1e2',
      '0x10',
      '',
      '%20',
      '5%20',
      'ten',
      'NaN',
      '٣',
    ]) {
      const { status, body } = await list(`limit=${limit}`);
      expect([limit, status, body.error?.code]).toEqual([limit, 400, 'invalid_limit']);
    }
    expect((await list('limit=1&limit=1')).body.error.code).toBe('invalid_limit');
  });

  test('`limit` defaults to 20 and is capped at 100', async () => {
    await inFirm(async (ctx) => {
      for (let i = 0; i < 101; i++) await preRegister(ctx, input());
    });
    expect(await idsOf()).toHaveLength(20);
    expect(await idsOf('limit=100')).toHaveLength(100);
    expect(await idsOf('limit=101')).toHaveLength(100);
    expect((await list('limit=101')).body.meta.has_more).toBe(true);
  });

  test('400 invalid_status for an unknown or repeated status', async () => {
    for (const query of [
      'status=',
      'status[]=pending',
      'status=Pending',
      'status=all',
      'status=pending,claimed',
      'status=pending&status=claimed',
    ]) {
      const { status, body } = await list(query);
      expect([query, status, body.error?.code]).toEqual([query, 400, 'invalid_status']);
    }
  });

  test('400 invalid_cursor for anything but a pre-registration of this firm', async () => {
    const foreign = await reserve({}, await createWorkspace(gateway.services));
    const { id } = await reserve();
    const unknown = `aff_pre_${'0'.repeat(26)}`;
    for (const cursor of [
      '',
      '%00',
      'x',
      unknown,
      foreign.id,
      id.slice(8),
      `${id}%20`,
      id.toUpperCase(),
      '%',
      "'",
    ]) {
      const { status, body } = await list(`starting_after=${cursor}`);
      expect([cursor, status, body.error?.code]).toEqual([cursor, 400, 'invalid_cursor']);
    }
    expect((await list(`starting_after=${id}&starting_after=${id}`)).body.error.code).toBe('invalid_cursor');
    // Another firm's cursor gets exactly the same error as an unknown one.
    const errorOf = async (cursor: string) => (await list(`starting_after=${cursor}`)).body.error;
    expect(await errorOf(foreign.id)).toEqual(await errorOf(unknown));
    expect((await list(`email=nobody&starting_after=${unknown}`)).body.error.code).toBe('invalid_cursor');
  });

  test('ignores undeclared parameters', async () => {
    const { id } = await reserve();
    expect(await idsOf('page=2&Status=nope&limits[]=0')).toEqual([id]);
  });
});

describe('authorization', () => {
  test('401 invalid_token without a token, 403 insufficient_scope without the scope', async () => {
    const none = await gateway.request(LIST);
    expect([none.status, none.body.error.code]).toEqual([401, 'invalid_token']);
    const weak = await tokenOf(firm, { scopes: ['admin:read', 'admin:write', 'platform:write'] });
    const answer = await list('limit=0', weak);
    expect([answer.status, answer.body.error.code]).toEqual([403, 'insufficient_scope']);
  });

  test('a firm’s token lists its own firm, a staff token the named firm', async () => {
    const other = await createWorkspace(gateway.services);
    const { id } = await reserve();
    const theirs = await reserve({}, other);
    expect(await idsOf()).toEqual([id]);
    expect((await gateway.request(LIST, { token, workspace: other.slug })).body.error.code).toBe(
      'workspace_not_permitted',
    );
    const staff = await createStaff(gateway.services, [firm]);
    const staffToken = (await createToken(gateway.services, { user: staff, workspace: PLATFORM })).text;
    const as = (workspace?: string) =>
      gateway.request(LIST, { token: staffToken, ...(workspace && { workspace }) });
    expect((await as(firm.slug)).body.data.map((row: PreRegistration) => row.id)).toEqual([id]);
    expect((await as()).body.error.code).toBe('workspace_required');
    expect((await as(other.slug)).body.error.code).toBe('workspace_not_permitted');
    expect((await as('no-such-firm')).body.error.code).toBe('workspace_not_permitted');
    expect(await idsOf('', await tokenOf(other))).toEqual([theirs.id]);
  });
});

describe('RPC procedures', () => {
  const callAs = (as: string) => (name: string, body: object) =>
    gateway.rpc(`affiliates.${name}`, { token: as, body });

  test('platform tokens reserve, claim and revoke', async () => {
    const call = callAs(await tokenOf(firm, { scopes: ['platform:write'] }));
    const { data: one } = await call('platform.preRegister', input({ expires_at: inMs(1000) }));
    expect(one).toMatchObject({ status: 'pending', source: 'api', expires_at: inMs(1000) });
    const { data: claimed } = await call('platform.claim', { id: one.id });
    expect(claimed).toEqual({ ...one, status: 'claimed', claimed_at: gateway.clock.now().toISOString() });
    for (const name of ['platform.claim', 'platform.revoke']) {
      const again = await call(name, { id: one.id });
      expect([again.status, again.code]).toEqual([409, 'pre_registration_ended']);
    }
    const { data: two } = await call('platform.preRegister', input());
    expect((await call('platform.revoke', { id: two.id })).data).toEqual({ ...two, status: 'revoked' });
    expect((await idsOf()).sort()).toEqual([one.id, two.id].sort());
  });

  test('the console’s list requires view_affiliates, reserving and revoking require manage_affiliates', async () => {
    const manager = callAs(await tokenOf(firm, { permissions: ['view_affiliates', 'manage_affiliates'] }));
    const viewer = callAs(await tokenOf(firm, { permissions: ['view_affiliates'] }));
    const { id } = (await manager('admin.preRegister', input({ source: 'api' }))).data;
    const page = (await viewer('admin.list', { email: 'KIM@example.com' })).data;
    expect(page).toMatchObject({
      data: [{ id, source: 'console' }],
      meta: { has_more: false, next_cursor: null },
    });
    expect((await viewer('admin.preRegister', input())).code).toBe('forbidden');
    expect((await viewer('admin.revoke', { id })).code).toBe('forbidden');
    expect((await viewer('admin.list', { limit: 0 })).code).toBe('invalid_limit');
    expect((await viewer('admin.list', { status: 'x' })).code).toBe('invalid_status');
    expect((await viewer('admin.list', { starting_after: 'x' })).code).toBe('invalid_cursor');
    expect((await manager('admin.revoke', { id })).data.status).toBe('revoked');
  });

  test('the console finds words in any part of the address or the code', async () => {
    const viewer = callAs(await tokenOf(firm, { permissions: ['view_affiliates'] }));
    const kim = await reserve({ email: 'Kim.O_1@Example.com', referral_code: 'WINTER-9' });
    const lee = await reserve({ email: 'lee@example.com', referral_code: 'SUMMER' });
    await reserve(
      { email: 'kim.o_1@example.com', referral_code: 'ELSEWHERE' },
      await createWorkspace(gateway.services),
    );
    const find = async (q: string, filters = {}) =>
      (await viewer('admin.list', { q, ...filters })).data.data.map(({ id }: PreRegistration) => id);
    expect(await find('IM.o')).toEqual([kim.id]);
    expect(await find('inter example')).toEqual([kim.id]);
    expect(await find('umm')).toEqual([lee.id]);
    expect(await find('example', { status: 'pending' })).toEqual([lee.id, kim.id]);
    expect(await find('example', { status: 'expired' })).toEqual([]);
    // No characters have a meaning of their own.
    expect(await find('_1@')).toEqual([kim.id]);
    for (const text of ['%', 'kim_o', 'kim lee', '\\']) expect(await find(text)).toEqual([]);
    expect((await viewer('admin.list', { q: '' })).code).toBe('validation_failed');
  });

  test('another firm’s pre-registrations look like nonexistent ones', async () => {
    const foreign = await reserve({}, await createWorkspace(gateway.services));
    const call = callAs(await tokenOf(firm, { permissions: ['view_affiliates', 'manage_affiliates'] }));
    for (const id of [foreign.id, `aff_pre_${'0'.repeat(26)}`]) {
      for (const name of ['platform.claim', 'platform.revoke', 'admin.revoke']) {
        expect((await call(name, { id })).code).toBe('resource_not_found');
      }
    }
    const { rows } = await gateway.services.pool.query(
      'select status from affiliate_pre_registrations where id = $1',
      [foreign.id],
    );
    expect(rows).toEqual([{ status: 'pending' }]);
  });

  test('rejects malformed input, naming the field', async () => {
    const call = callAs(await tokenOf(firm));
    const cases: Partial<Record<keyof PreRegisterInput, unknown[]>> = {
      email: ['', 'x', null, 1],
      referral_code: ['', 'x', 'with space', 'x'.repeat(65), null],
      referral_url: [
        '',
        'firm.example',
        'javascript:alert(1)',
        `https://x/${'x'.repeat(2000)}`,
        'https://x/\0',
        null,
      ],
      source: ['', 'x'.repeat(51), '\0', null],
      metadata: [null, [], 'x', { a: '\0' }, { '\0': 1 }, { a: '\ud800' }, { a: 'x'.repeat(8200) }],
      expires_at: ['', 'tomorrow', '2026-02-30T00:00:00.000Z', inMs(0), inMs(-1000), null],
    };
    for (const [field, values] of Object.entries(cases)) {
      for (const value of values) {
        const { code, fields } = await call('platform.preRegister', { ...input(), [field]: value });
        expect([field, value, code]).toEqual([field, value, 'validation_failed']);
        expect([value, fields![0]!.path]).toEqual([value, expect.stringMatching(new RegExp(`^${field}`))]);
      }
    }
    const metadata = { a: '\\u0000', b: [null, { c: 'ä' }] };
    const { id } = (await call('platform.preRegister', input({ metadata }))).data;
    expect((await list()).body.data[0]).toMatchObject({ id, metadata });
  });

  test.each([
    ['is nested too deeply', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    // The list could not be sent to the console.
    ...['__proto__', 'constructor', 'prototype'].map((name) => [`has the name ${name}`, `[{"${name}":1}]`]),
  ])('rejects metadata that %s', async (_, json) => {
    const text = JSON.stringify({ json: input({ metadata: { deep: 0 } }) });
    const { status, text: answer } = await gateway.request('POST /trpc/affiliates.platform.preRegister', {
      token: await tokenOf(firm),
      body: text.replace('"deep":0', `"deep":${json}`),
    });
    expect([status, answer]).toEqual([422, expect.stringContaining('"validation_failed"')]);
  });
});
