import { randomBytes, randomUUID } from 'node:crypto';
import type { DeviceRegistration } from '@firmdesk/contract';
import { createToken, createUser, createWorkspace, type TestUser } from '@firmdesk/testing';
import { commonCases, type Firm, PASSWORD, suiteGateway } from '@firmdesk/testing/gateway';
import { describe, expect, test } from 'vitest';

const REGISTER = 'POST /v1/me/devices';
const gateway = await suiteGateway();

const pushToken = () => randomBytes(32).toString('hex');

/** Creates a session without scopes; by default of a new user in a new firm. */
async function session(of: { user?: TestUser; firm?: Firm } = {}) {
  const firm = of.firm ?? (await createWorkspace(gateway.services));
  const owner = of.user ?? (await createUser(gateway.services, { firm, role: 'trader', password: PASSWORD }));
  const token = await createToken(gateway.services, {
    user: owner,
    workspace: firm.slug,
    kind: 'device',
    scopes: [],
  });
  return { ...token, user: owner, firm };
}

const body = (over: Record<string, unknown> = {}) => ({
  app: 'mail',
  environment: 'production',
  token: pushToken(),
  ...over,
});
const register = (token: string, over: Record<string, unknown> = {}, key?: string) =>
  gateway.request(REGISTER, { token, body: body(over), ...(key && { key }) });
const registrations = async (token: string, session?: string): Promise<DeviceRegistration[]> => {
  const { data, code } = await gateway.rpc('devices.list', { token, body: { session } });
  return data ?? code;
};

commonCases(gateway, REGISTER, async () => ({ body: body() }));

describe('registering', () => {
  test('returns 201 and exactly the fields of the contract for a new registration', async () => {
    const me = await session();
    const answer = await register(me.text, {
      locale: 'de_DE',
      timezone: 'Europe/Berlin',
      app_version: '4.2 (1201)',
      os_version: '19.1',
      session: 'key_0000000000000000000000000a',
      user_id: 'usr_0000000000000000000000000a',
    });
    const now = gateway.clock.now().toISOString();
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      data: {
        object: 'push_device',
        app: 'mail',
        environment: 'production',
        created_at: now,
        last_seen_at: now,
      },
      meta: { request_id: expect.stringMatching(/^req_/) },
    });
    expect(await registrations(me.text)).toEqual([
      {
        ...answer.body.data,
        session: me.id,
        current: true,
        locale: 'de_DE',
        timezone: 'Europe/Berlin',
        app_version: '4.2 (1201)',
        os_version: '19.1',
      },
    ]);
  });

  test('returns 200 and replaces all fields when repeated; `created_at` stays while the push token is the same', async () => {
    const me = await session();
    const token = pushToken();
    const first = await register(me.text, { token, locale: 'en', app_version: '1' });
    gateway.clock.advance(1000);
    const again = await register(me.text, { token: token.toUpperCase(), environment: 'sandbox' });
    expect(again.status).toBe(200);
    expect(again.body.data).toEqual({
      object: 'push_device',
      app: 'mail',
      environment: 'sandbox',
      created_at: first.body.data.created_at,
      last_seen_at: gateway.clock.now().toISOString(),
    });
    expect(await registrations(me.text)).toMatchObject([{ locale: null, app_version: null }]);
    gateway.clock.advance(1000);
    const other = await register(me.text);
    expect(other.status).toBe(200);
    expect(other.body.data.created_at).toBe(gateway.clock.now().toISOString());
    expect(await registrations(me.text)).toHaveLength(1);
  });

  test('registers each app separately, even with one push token', async () => {
    const me = await session();
    const token = pushToken();
    for (const app of ['mail', 'calendar', 'admin']) {
      expect((await register(me.text, { app, token })).status).toBe(201);
    }
    expect((await registrations(me.text)).map(({ app }) => app).sort()).toEqual([
      'admin',
      'calendar',
      'mail',
    ]);
  });

  test('moves a push token to another session of the same account and firm, with 201', async () => {
    const before = await session();
    const after = await session(before);
    const token = pushToken();
    await register(before.text, { token });
    await register(before.text, { token, app: 'calendar' });
    expect((await register(after.text, { token })).status).toBe(201);
    expect((await registrations(after.text)).map((one) => [one.app, one.session]).sort()).toEqual([
      ['calendar', before.id],
      ['mail', after.id],
    ]);
  });

  test('keeps the push token for sessions of other accounts, and of the account in other firms', async () => {
    const mine = await session();
    const firm = await createWorkspace(gateway.services);
    const [elsewhere, other] = [await session({ user: mine.user, firm }), await session({ firm: mine.firm })];
    const token = pushToken();
    for (const { text } of [mine, elsewhere, other])
      expect((await register(text, { token })).status).toBe(201);
    for (const { text } of [mine, elsewhere, other])
      expect((await register(text, { token })).status).toBe(200);
    expect((await registrations(mine.text)).map((one) => one.session).sort()).toEqual(
      [mine.id, elsewhere.id].sort(),
    );
    expect(await registrations(other.text)).toMatchObject([{ session: other.id }]);
  });

  test('replays the response of a repeated key without changes', async () => {
    const me = await session();
    const key = randomUUID();
    const first = await register(me.text, {}, key);
    gateway.clock.advance(1000);
    const again = await register(me.text, { environment: 'sandbox' }, key);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('idempotency-body-mismatch')).toBe('true');
    expect(await registrations(me.text)).toMatchObject([{ environment: 'production' }]);
  });

  test('a sign-out removes the registrations of its session; a password change removes those of all other sessions', async () => {
    const me = await session();
    const [other, third] = [await session(me), await session(me)];
    for (const one of [me, other, third]) {
      await register(one.text);
      gateway.clock.advance(1000);
    }
    const sessions = async () => (await registrations(me.text)).map((one) => [one.session, one.current]);
    expect(await sessions()).toEqual([
      [third.id, false],
      [other.id, false],
      [me.id, true],
    ]);
    await gateway.request('DELETE /v1/me/session', { token: other.text });
    expect(await sessions()).toEqual([
      [third.id, false],
      [me.id, true],
    ]);
    const changed = await gateway.request('PUT /v1/me/password', {
      token: me.text,
      body: { current_password: PASSWORD, new_password: 'another horse entirely' },
    });
    expect(changed.status).toBe(200);
    expect(await sessions()).toEqual([[me.id, true]]);
  });
});

describe('concurrency', () => {
  /** Returns PostgreSQL's count of deadlocks. */
  async function deadlocks(): Promise<number> {
    const { rows } = await gateway.services.pool.query<{ deadlocks: string }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    return Number(rows[0]!.deadlocks);
  }

  test('one of several concurrent sessions of an account and firm gets the push token', async () => {
    const one = await session();
    const sessions = [one, ...(await Promise.all(Array.from({ length: 5 }, () => session(one))))];
    for (let round = 0; round < 5; round++) {
      const token = pushToken();
      const answers = await Promise.all(sessions.map((one) => register(one.text, { token })));
      expect(answers.map(({ status }) => status)).toEqual(
        sessions.map(() => (round === 0 ? 201 : expect.anything())),
      );
      const { rows } = await gateway.services.pool.query('select from devices where device_token = $1', [
        token,
      ]);
      expect(rows).toHaveLength(1);
    }
  });

  test('a session that registers several push tokens concurrently keeps one', async () => {
    const me = await session();
    const answers = await Promise.all(Array.from({ length: 8 }, () => register(me.text)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201]);
    expect(await registrations(me.text)).toHaveLength(1);
  });

  test('sessions that swap push tokens concurrently all succeed, without a deadlock', async () => {
    const one = await session();
    const sessions = [one, ...(await Promise.all([1, 2, 3].map(() => session(one))))];
    const tokens = sessions.map(pushToken);
    const before = await deadlocks();
    for (let round = 0; round < 12; round++) {
      const answers = await Promise.all(
        sessions.flatMap((one, i) => [
          register(one.text, { token: tokens[(i + round) % tokens.length] }),
          register(one.text, { token: tokens[(i + round + 1) % tokens.length] }),
        ]),
      );
      expect(answers.map(({ status }) => status).filter((status) => status > 201)).toEqual([]);
    }
    expect(await deadlocks()).toBe(before);
  });

  test('a concurrent registration and sign-out leave no registration of the ended session', async () => {
    for (let round = 0; round < 10; round++) {
      const me = await session();
      const [registered] = await Promise.all([
        register(me.text),
        gateway.request('DELETE /v1/me/session', { token: me.text }),
      ]);
      expect([201, 401]).toContain(registered.status);
      const { rows } = await gateway.services.pool.query('select from devices where token_id = $1', [me.id]);
      expect(rows).toEqual([]);
    }
  });
});

describe('errors', () => {
  test('401 invalid_token or revoked_token, 400 missing_idempotency_key', async () => {
    expect((await gateway.request(REGISTER, { body: body() })).body.error.code).toBe('invalid_token');
    const me = await session();
    const keyless = await gateway.request(REGISTER, { token: me.text, body: body(), key: null });
    expect([keyless.status, keyless.body.error.code]).toEqual([400, 'missing_idempotency_key']);
    await gateway.request('DELETE /v1/me/session', { token: me.text });
    const ended = await register(me.text);
    expect([ended.status, ended.body.error.code]).toEqual([401, 'revoked_token']);
  });

  const wrongTypes = [null, 0, 1, true, [], {}, ['mail']];
  const cases: [field: string, values: unknown[]][] = [
    ['app', [...wrongTypes, undefined, '', 'Mail', 'sms']],
    ['environment', [...wrongTypes, undefined, '', 'live', 'development']],
    [
      'token',
      [
        ...wrongTypes,
        undefined,
        '',
        'g'.repeat(64),
        'a'.repeat(63),
        'a'.repeat(65),
        'a'.repeat(202),
        ' '.repeat(64),
      ],
    ],
    ['locale', [...wrongTypes, 'a'.repeat(101), 'de\0']],
    ['timezone', [...wrongTypes, '', 'Mars/Olympus', '+05:00', 'Europe/Berlin\0', 'a'.repeat(65)]],
    ['app_version', [...wrongTypes, 'a'.repeat(101), '\0']],
    ['os_version', [...wrongTypes, 'a'.repeat(101), '\0']],
  ];
  test.each(cases)('rejects invalid values of `%s`, naming the field', async (field, values) => {
    const me = await session();
    for (const value of values) {
      const { status, body } = await register(me.text, { [field]: value });
      expect([value, status, body.error?.code]).toEqual([value, 422, 'validation_failed']);
      expect(body.error.fields[0].path).toBe(field);
    }
    expect(await registrations(me.text)).toEqual([]);
  });

  test('accepts values at the limits', async () => {
    const me = await session();
    for (const over of [
      { token: 'a'.repeat(64) },
      { token: 'F'.repeat(200) },
      { locale: '', app_version: 'ä'.repeat(100), os_version: 'a'.repeat(100) },
      { timezone: 'US/Eastern' },
      { timezone: 'UTC' },
    ]) {
      expect((await register(me.text, over)).status).toBeLessThan(300);
    }
  });

  test('rejects a body that is not an object', async () => {
    const me = await session();
    for (const raw of ['[]', 'null', '"x"', '{', '1']) {
      const { status, body } = await gateway.request(REGISTER, { token: me.text, body: raw });
      expect([raw, status, body.error.code]).toEqual([raw, 422, 'validation_failed']);
    }
  });
});

test('does not list registrations of other accounts', async () => {
  const [me, other] = [await session(), await session()];
  await register(me.text);
  await register(other.text);
  expect(await registrations(me.text, other.id)).toEqual([]);
  expect(await registrations(me.text, 'key_0000000000000000000000000a')).toEqual([]);
  expect(await registrations(me.text, me.id)).toHaveLength(1);
  expect(await registrations(me.text, 'nonsense')).toBe('validation_failed');
});

test('does not list registrations of an expired session', async () => {
  const me = await session();
  const old = await session(me);
  await register(old.text);
  await gateway.services.pool.query('update tokens set expires_at = $2 where id = $1', [
    old.id,
    gateway.clock.now(),
  ]);
  expect(await registrations(me.text)).toEqual([]);
});
