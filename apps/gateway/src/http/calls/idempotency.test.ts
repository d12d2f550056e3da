import { createHash, randomUUID } from 'node:crypto';
import { createToken, createUser, createWorkspace, unique } from '@firmdesk/testing';
import {
  EFFECTS,
  gate,
  hasReached,
  openTestGateway,
  type TestGateway,
  testRouter,
} from '@firmdesk/testing/gateway';
import superjson from 'superjson';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

const HOUR_MS = 3_600_000;
const EFFECT = 'POST /v1/test/effects';
let gateway: TestGateway;
let real: TestGateway;
let otherNode: Awaited<ReturnType<TestGateway['secondNode']>>;
let token: string;

beforeAll(async () => {
  gateway = await openTestGateway(inject('postgresUrl'), { router: testRouter, rateLimitPerMinute: 100_000 });
  real = await openTestGateway(inject('postgresUrl'));
  await gateway.services.pool.query(EFFECTS);
  otherNode = await gateway.secondNode();
  token = await newToken();
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await real[Symbol.asyncDispose]();
});

async function newToken(): Promise<string> {
  const firm = await createWorkspace(gateway.services);
  const user = await createUser(gateway.services, { firm });
  return (await createToken(gateway.services, { user, workspace: firm.slug })).text;
}

async function effectsOf(value: string): Promise<number> {
  const { rows } = await gateway.services.pool.query(
    'select count(*)::int as n from effects where value = $1',
    [value],
  );
  return rows[0].n;
}

async function keptKeys(): Promise<number> {
  const { rows } = await gateway.services.pool.query('select count(*)::int as n from idempotency_keys');
  return rows[0].n;
}

describe('a repeated key', () => {
  test('replays the response unchanged: status, body with the first request id, headers', async () => {
    const [value, key] = [unique('effect'), randomUUID()];
    const first = await gateway.request(EFFECT, { token, key, body: { value } });
    expect(first.status).toBe(201);
    expect(first.headers.get('x-effect')).toBe(value);
    expect(first.headers.get('idempotent-replayed')).toBe(null);
    expect(first.body.meta.request_id).toBe(first.headers.get('x-request-id'));
    for (const node of [gateway, otherNode]) {
      const again = await node.request(EFFECT, { token, key, body: { value } });
      expect(again.text).toBe(first.text);
      expect(again.status).toBe(201);
      expect(again.headers.get('x-effect')).toBe(value);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.headers.get('idempotency-body-mismatch')).toBe(null);
      expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    }
    expect(await effectsOf(value)).toBe(1);
  });

  test('sends the rate limit of the replaying call', async () => {
    const key = randomUUID();
    const ask = () => gateway.request(EFFECT, { token, key, body: { value: 'budget' } });
    const [first, again] = [await ask(), await ask()];
    const left = (answer: typeof first) => Number(answer.headers.get('ratelimit-remaining'));
    expect(left(again)).toBe(left(first) - 1);
  });

  test('replays the response for another body too, and flags the mismatch', async () => {
    const [value, key] = [unique('effect'), randomUUID()];
    const first = await gateway.request(EFFECT, { token, key, body: { value } });
    const other = await gateway.request(EFFECT, { token, key, body: { value: 'another' } });
    expect(other.text).toBe(first.text);
    expect(other.headers.get('idempotency-body-mismatch')).toBe('true');
    const unreadable = [
      { body: {} },
      { body: '{bad' },
      { body: '[]' },
      { body: '{}', headers: { 'content-type': 'text/plain' } },
      { body: { value: 'x'.repeat(70_000) } },
    ];
    for (const sent of unreadable) {
      const again = await gateway.request(EFFECT, { token, key, ...sent });
      expect([again.status, again.text]).toEqual([201, first.text]);
      expect(again.headers.get('original-request')).toBe(first.headers.get('request-id'));
    }
    expect(await effectsOf('another')).toBe(0);
  });

  test('replays a response with its own meta', async () => {
    const key = randomUUID();
    const first = await gateway.request('POST /v1/test/paged', { token, key, body: {} });
    const again = await gateway.request('POST /v1/test/paged', { token, key, body: {} });
    expect(Object.keys(first.body.meta)).toEqual(['request_id', 'has_more']);
    expect(again.text).toBe(first.text);
  });

  test('runs 200 concurrent calls over two processes once, and sends all the same response', async () => {
    const [value, key] = [unique('effect'), randomUUID()];
    const nodes = Array.from({ length: 200 }, (_, i) => (i % 2 ? gateway : otherNode));
    const answers = await Promise.all(
      nodes.map((node) => node.request(EFFECT, { token, key, body: { value } })),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(201);
    expect(answers.filter(({ headers }) => headers.has('idempotent-replayed'))).toHaveLength(199);
    expect(await effectsOf(value)).toBe(1);
  });

  test('sends 200 concurrent failing calls the same error', async () => {
    const key = randomUUID();
    const body = { value: unique('effect'), outcome: 'resource_not_found' };
    const nodes = Array.from({ length: 200 }, (_, i) => (i % 2 ? gateway : otherNode));
    const answers = await Promise.all(nodes.map((node) => node.request(EFFECT, { token, key, body })));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(404);
  });

  test('returns the response of another process that used the key while the error was being stored', async () => {
    const states = async () => {
      const { rows } = await gateway.services.pool.query<{ state: string }>(
        `select coalesce(nullif(wait_event_type, 'Client'), 'idle') as state from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null order by 1`,
      );
      return rows.map(({ state }) => state);
    };
    /** Calls two processes with one key; the first call fails. Returns the statuses of both responses, which are equal. */
    const race = async () => {
      const [refused, written, key] = [unique('effect'), unique('effect'), randomUUID()];
      const [openRefused, openWritten] = [gate(refused), gate(written)];
      const body = { value: refused, outcome: 'resource_not_found' };
      let hasAnswered = false;
      const first = gateway.request(EFFECT, { token, key, body });
      await expect.poll(states).toEqual(['idle']);
      const second = otherNode.request(EFFECT, { token, key, body: { value: written } });
      await expect.poll(states).toEqual(['Lock', 'idle']);
      const both = Promise.all([first, second]).finally(() => {
        hasAnswered = true;
      });
      openRefused();
      // The second call gets either the key or the error that the first one stores.
      await expect.poll(() => hasReached(written) || hasAnswered).toBe(true);
      // If the second call holds the key, the first waits to store its error.
      if (!hasAnswered) await expect.poll(states).toEqual(['Lock', 'idle']);
      openWritten();
      const answers = await both;
      expect(answers[0]!.text).toBe(answers[1]!.text);
      expect(await effectsOf(written)).toBe(hasReached(written) ? 1 : 0);
      return answers.map(({ status }) => status);
    };
    let statuses = await race();
    for (let tried = 1; tried < 20 && statuses[0] === 404; tried++) statuses = await race();
    expect(statuses).toEqual([201, 201]);
  });

  test('executes the call again after 72 hours, whether the row was pruned or not', async () => {
    const [value, key] = [unique('effect'), randomUUID()];
    const first = await gateway.request(EFFECT, { token, key, body: { value } });
    gateway.clock.advance(72 * HOUR_MS - 1);
    const kept = await gateway.request(EFFECT, { token, key, body: { value } });
    expect(kept.text).toBe(first.text);
    gateway.clock.advance(1);
    const later = await gateway.request(EFFECT, { token, key, body: { value } });
    expect(later.headers.get('idempotent-replayed')).toBe(null);
    expect(await effectsOf(value)).toBe(2);
    const again = await gateway.request(EFFECT, { token, key, body: { value } });
    expect(again.text).toBe(later.text);
  });
});

describe('the scope of a key', () => {
  test('consists of the token, the method and the path', async () => {
    const [value, key] = [unique('effect'), randomUUID()];
    await gateway.request(EFFECT, { token, key, body: { value } });
    await gateway.request(EFFECT, { token: await newToken(), key, body: { value } });
    await gateway.request('POST /v1/test/others', { token, key, body: { value } });
    await gateway.rpc('effect', { token, key, body: { value } });
    expect(await effectsOf(value)).toBe(4);
  });

  test('replays nothing for an ended token', async () => {
    const [key, ending] = [randomUUID(), await newToken()];
    await gateway.request(EFFECT, { token: ending, key, body: { value: 'x' } });
    await gateway.services.pool.query(
      `update tokens set revoked_at = now() where id = 'key_' || substr($1, 9, 26)`,
      [ending],
    );
    const answer = await gateway.request(EFFECT, { token: ending, key, body: { value: 'x' } });
    expect(answer.body.error.code).toBe('revoked_token');
  });
});

describe('a stored response', () => {
  test.each([
    ['resource_not_found', 404],
    ['ticket_ended', 409],
    ['not_a_draft', 400],
  ])('is replayed for an error after a lookup: %s; its effect is rolled back', async (outcome, status) => {
    const [value, key] = [unique('effect'), randomUUID()];
    const first = await gateway.request(EFFECT, { token, key, body: { value, outcome } });
    expect([first.status, first.body.error.code]).toEqual([status, outcome]);
    const again = await otherNode.request(EFFECT, { token, key, body: { value } });
    expect(again.text).toBe(first.text);
    expect(again.status).toBe(status);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await effectsOf(value)).toBe(0);
  });

  test.each<[string, object, number]>([
    ['an invalid field', { value: '' }, 422],
    ['a rule of the contract', { outcome: 'nothing_to_mark' }, 400],
    ['an internal error', { outcome: 'fault' }, 500],
  ])('does not exist for %s: nothing is stored, and a retry runs', async (_, wrong, status) => {
    const [value, key, before] = [unique('effect'), randomUUID(), await keptKeys()];
    const refused = await gateway.request(EFFECT, { token, key, body: { value, ...wrong } });
    expect(refused.status).toBe(status);
    expect(await keptKeys()).toBe(before);
    expect(await effectsOf(value)).toBe(0);
    const retried = await gateway.request(EFFECT, { token, key, body: { value } });
    expect(retried.status).toBe(201);
    expect(retried.headers.get('idempotent-replayed')).toBe(null);
    expect(await effectsOf(value)).toBe(1);
  });

  test('drops the headers that a failed operation set', async () => {
    const body = { value: unique('effect'), conflicts: 1 };
    const answer = await gateway.request(EFFECT, { token, body });
    expect(answer.status).toBe(201);
    expect(await effectsOf(body.value)).toBe(1);
  });

  test('runs a conflicting transaction at most three times', async () => {
    const body = { value: unique('effect'), conflicts: 3 };
    const answer = await gateway.request(EFFECT, { token, body });
    expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await effectsOf(body.value)).toBe(0);
  });

  test('rejects a body that is nested too deeply, without an internal error', async () => {
    for (const depth of [1_000, 30_000]) {
      const body = `{"value":"deep","more":${'['.repeat(depth)}${']'.repeat(depth)}}`;
      const answer = await gateway.request(EFFECT, { token, body });
      expect([201, 422], answer.text).toContain(answer.status);
    }
  });
});

describe('over typed RPC', () => {
  test('replays the value and the error', async () => {
    const [value, key] = [unique('effect'), randomUUID()];
    const first = await gateway.rpc('effect', { token, key, body: { value } });
    const again = await otherNode.rpc('effect', { token, key, body: { value } });
    expect(again.data).toEqual(first.data);
    expect(again.data.value).toBe(value);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await effectsOf(value)).toBe(1);
    const paged = [1, 2].map(() => gateway.rpc('paged', { token, key, body: {} }));
    for (const { data } of await Promise.all(paged))
      expect(data).toEqual({ data: [], meta: { has_more: true } });

    const refused = { token, key: randomUUID(), body: { value, outcome: 'ticket_ended' } };
    for (const replayed of [null, 'true']) {
      const answer = await gateway.rpc('effect', refused);
      expect([answer.status, answer.code]).toEqual([409, 'ticket_ended']);
      expect(answer.headers.get('idempotent-replayed')).toBe(replayed);
    }
  });

  test('stores the response to each call of a batch separately, under the batch’s one key', async () => {
    const [value, secret, key] = [unique('effect'), randomUUID(), randomUUID()];
    const inputs = [{ cookie: secret }, { value }, { value }, { value, outcome: 'resource_not_found' }];
    const batch = () =>
      gateway.request('POST /trpc/cookie,effect,effect,effect?batch=1', {
        token,
        key,
        body: Object.fromEntries(inputs.map((input, i) => [i, superjson.serialize(input)])),
      });
    const first = await batch();
    expect(first.headers.get('set-cookie')).toBe(`test=${secret}`);
    const [, one, two, three] = first.body;
    expect(one.result.data.json.id).not.toBe(two.result.data.json.id);
    expect(three.error.json.data.code).toBe('resource_not_found');
    const again = await batch();
    const answersOf = ({ body }: typeof first) => body.slice(0, 3);
    expect(answersOf(again)).toEqual(answersOf(first));
    expect(again.body[3].error.json.data.code).toBe('resource_not_found');
    expect(await effectsOf(value)).toBe(2);
    const { rows } = await gateway.services.pool.query<{ answer: Buffer }>(
      'select answer from idempotency_keys',
    );
    expect(rows.filter(({ answer }) => answer.includes(secret))).toEqual([]);
  });
});

test.each([
  ['over REST', EFFECT, (value: string) => `{"value":"${value}"}`],
  ['over RPC', 'POST /trpc/effect', (value: string) => `{"json":{"value":"${value}"}}`],
  [
    'in a batch',
    'POST /trpc/effect,effect?batch=1',
    (value: string) => `{"0":{"json":{"value":"${value}"}},"1":{"json":{"value":"${value}"}}}`,
  ],
])('a key remembers the bytes of its body, %s', async (_, target, bodyOf) => {
  const [value, key] = [unique('effect'), randomUUID()];
  const body = bodyOf(value);
  const mismatchOf = async (sent: string) => {
    const { headers } = await gateway.request(target, { token, key, body: sent });
    return [headers.get('idempotent-replayed'), headers.get('idempotency-body-mismatch')];
  };
  expect(await mismatchOf(body)).toEqual([null, null]);
  expect(await mismatchOf(body)).toEqual(['true', null]);
  expect(await mismatchOf(body.replace(value, `${value} too`))).toEqual(['true', 'true']);
});

describe('sign-in', () => {
  test('replays the session, and stores neither its token nor its password in readable form', async () => {
    const password = `pass-${randomUUID()}`;
    const firm = await createWorkspace(real.services);
    const { email } = await createUser(real.services, { firm, password });
    const key = randomUUID();
    const body = { email, password, name: 'Phone' };
    const first = await real.request('POST /v1/sessions', { key, body });
    const again = await real.request('POST /v1/sessions', { key, body });
    expect(first.status).toBe(201);
    expect(again.text).toBe(first.text);
    const other = await real.request('POST /v1/sessions', { key, body: { ...body, name: 'Tablet' } });
    expect(other.body.data.id).not.toBe(first.body.data.id);
    const wrong = await real.request('POST /v1/sessions', { key, body: { ...body, password: 'wrong' } });
    expect(wrong.body.error.code).toBe('invalid_credentials');

    const secret = first.body.data.token;
    const { pool } = real.services;
    const tables = await pool.query<{ name: string }>(
      `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    for (const { name } of tables.rows) {
      const { rows } = await pool.query(`select * from ${name}`);
      const seen = rows.flatMap((row) => Object.values(row)).map((value) => bytesOf(value));
      for (const forbidden of [secret, secret.slice(34), password, key]) {
        expect(
          seen.some((bytes) => bytes.includes(forbidden)),
          `${name} shows ${forbidden}`,
        ).toBe(false);
      }
      // With a plain hash of the body, the password could be guessed at the speed of SHA-256.
      const guess = createHash('sha256').update(JSON.stringify(body)).digest();
      expect(seen.some((bytes) => bytes.equals(guess))).toBe(false);
    }
  });
});

function bytesOf(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return value;
  return Buffer.from(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}
