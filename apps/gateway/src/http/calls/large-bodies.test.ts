import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createMailbox } from '@firmdesk/testing';
import type { Answer } from '@firmdesk/testing/gateway';
import { createUserWithToken, suiteGateway, type UserWithToken } from '@firmdesk/testing/gateway';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const MIB = 1024 * 1024;
const gateway = await suiteGateway();
const senders: Socket[] = [];
let me: UserWithToken & { mailboxId: number };

beforeEach(async () => {
  me = await sender();
});
afterEach(async () => {
  for (const socket of senders.splice(0)) socket.destroy();
});

async function sender(): Promise<UserWithToken & { mailboxId: number }> {
  const them = await createUserWithToken(gateway);
  const { id } = await createMailbox(gateway.services, { firm: them.firm, writes: [them.user] });
  return { ...them, mailboxId: id };
}

const save = ({ token, mailboxId }: typeof me, length: number, headers: Record<string, string> = {}) =>
  gateway.request('POST /v1/me/mail/drafts', {
    token,
    headers,
    body: { address_id: mailboxId, body: 'x'.repeat(length) },
  });

/** Sends the head of a call and the first byte of its body. */
async function begin({ token }: UserWithToken, path: string, head: string): Promise<Socket> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  senders.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${token}`,
    `Idempotency-Key: ${randomUUID()}`,
    'Content-Type: application/json',
    head,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n{`);
  // The response to a later call shows that the first one was admitted.
  await gateway.request('GET /v1/ping', { token });
  return socket;
}

/** Begins calls until a large draft is rejected, and returns that response. */
async function fill(begins: () => Promise<Socket>, length: number) {
  for (;;) {
    const answer = await save(me, length);
    if (answer.status !== 200) return answer;
    await begins();
  }
}

describe('one account', () => {
  test.each([
    ['over REST', '/v1/me/mail/drafts', `Content-Length: ${10 * MIB}`],
    ['over RPC', '/trpc/mail.saveDraft', `Content-Length: ${10 * MIB}`],
    ['in chunks', '/v1/me/mail/drafts', 'Transfer-Encoding: chunked'],
    ['compressed', '/v1/me/mail/drafts', 'Content-Encoding: gzip\r\nContent-Length: 1000'],
  ])(
    'can send four large drafts concurrently, %s; other accounts are not affected',
    async (_, path, head) => {
      const { status, body, headers } = await fill(() => begin(me, path, head), 100_000);
      expect([status, body.error.code, headers.get('retry-after')]).toEqual([429, 'rate_limited', '1']);
      expect(senders.length).toBeGreaterThanOrEqual(4);
      expect((await save(await sender(), 9 * MIB)).status).toBe(200);
      expect((await save(me, 1_000)).status).toBe(200);
      for (const socket of senders) socket.destroy();
      await expect.poll(async () => (await save(me, 100_000)).status).toBe(200);
    },
  );

  test('is rejected before it sends the body', async () => {
    const begins = () => begin(me, '/v1/me/mail/drafts', `Content-Length: ${10 * MIB}`);
    await fill(begins, 100_000);
    const [answer] = await once(await begins(), 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 429 /);
  });
});

test('rejects a body beyond 256 MiB of received large bodies with 503 and Retry-After', async () => {
  const platform = await sender();
  const begins = async () => {
    const socket = await begin(platform, '/trpc/mail.deliver', `Content-Length: ${42 * MIB}`);
    await new Promise((resolve) => socket.write('x'.repeat(28 * MIB), resolve));
    return socket;
  };
  const { status, body, headers } = await fill(begins, 9 * MIB);
  expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
  expect(senders.length).toBeGreaterThanOrEqual(6);
  expect((await save(me, 1_000)).status).toBe(200);
  // The overload is logged.
  gateway.log.lines.length = 0;
});

test('accepts large bodies of other accounts while announced bodies never arrive', async () => {
  const platform = await sender();
  for (let n = 0; n < 8; n++) await begin(platform, '/trpc/mail.deliver', `Content-Length: ${42 * MIB}`);
  expect((await save(me, 9 * MIB)).status).toBe(200);
});

test('rejects a large body of a call without a token, also in a batch', async () => {
  const answer = await fetch(`${gateway.url}/trpc/sessions.signIn,mail.deliver?batch=1`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({ 0: { json: { email: 'x'.repeat(MIB) } } }),
  });
  const codes = ((await answer.json()) as { error: { json: { data: { code: string } } } }[]).map(
    ({ error }) => error.json.data.code,
  );
  expect(codes).toEqual(['payload_too_large', 'invalid_token']);
});

test('rejects a large body in a batch with a call that may not send one', async () => {
  const { token } = await createUserWithToken(gateway, { scopes: [] });
  const send = async (names: string) => {
    const answer = await gateway.request(`POST /trpc/${names}?batch=1`, {
      token,
      body: { 0: { json: { timezone: 'UTC' } }, 1: { json: { raw: 'x'.repeat(MIB) } } },
    });
    return (answer.body as unknown as { error: { json: { data: { code: string } } } }[]).map(
      ({ error }) => error.json.data.code,
    );
  };
  expect(await send('account.setTimezone,mail.deliver')).toEqual(['payload_too_large', 'insufficient_scope']);
  expect(await send('mail.deliver,account.setTimezone')).toEqual(['insufficient_scope', 'payload_too_large']);
});

describe('a large body', () => {
  const send = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    fetch(`${gateway.url}/v1/me/mail/drafts`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${me.token}`,
        'idempotency-key': randomUUID(),
        'content-type': 'application/json',
        ...headers,
      },
      body,
    }).then(async (answer) => ({ status: answer.status, body: (await answer.json()) as Answer['body'] }));
  const draft = (body: string) => JSON.stringify({ address_id: me.mailboxId, body });

  test.each([
    ['that is no JSON', 'x'.repeat(MIB), 'must be valid JSON'],
    ['that ends too soon', `{"body":"${'x'.repeat(MIB)}`, 'must be valid JSON'],
    ['that is no object', JSON.stringify(['x'.repeat(MIB)]), 'must be a JSON object'],
    ['of too many values', `{"other":[${'{},'.repeat(3_000_000)}0]}`, 'must have at most 20000 values'],
    [
      'that is nested too deeply',
      `${'['.repeat(MIB)}${']'.repeat(MIB)}`,
      'must be nested at most 100 levels deep',
    ],
  ])('%s is refused', async (_, body, message) => {
    const answer = await send(body);
    expect([answer.status, answer.body.error.code]).toEqual([422, 'validation_failed']);
    expect(answer.body.error.fields).toEqual([{ path: '', message: `The body ${message}.` }]);
  });

  test('is parsed exactly: every script, every escape, brackets and quotes', async () => {
    const html = '[{"\\"\u2028\t€😀</p>,'.repeat(60_000);
    const { status, body } = await send(draft(html));
    expect(status).toBe(200);
    const { data } = await gateway.rpc('mail.get', { token: me.token, body: { id: body.data.id } });
    expect(data.body).toBe(html);
  });

  test.each([65_535, 65_536, 65_537, 131_072, 131_073])('is parsed if it has %i bytes', async (size) => {
    const html = 'abcde'.repeat(size).slice(0, size - draft('').length);
    const { status, body } = await send(draft(html));
    expect(status).toBe(200);
    const { data } = await gateway.rpc('mail.get', { token: me.token, body: { id: body.data.id } });
    expect(data.body).toBe(html);
  });

  test('is accepted compressed', async () => {
    const answer = await send(gzipSync(draft('x'.repeat(5 * MIB))), { 'content-encoding': 'gzip' });
    expect(answer.status).toBe(200);
    const bomb = await send(gzipSync(draft('x'.repeat(11 * MIB))), { 'content-encoding': 'gzip' });
    expect([bomb.status, bomb.body.error.code]).toEqual([413, 'payload_too_large']);
  });

  test('is replayed with its key, and another body with that key is flagged', async () => {
    const key = randomUUID();
    const post = (body: string) =>
      gateway.request('POST /v1/me/mail/drafts', { token: me.token, key, body: draft(body) });
    const first = await post('x'.repeat(MIB));
    const again = await post('x'.repeat(MIB));
    expect([first.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotency-body-mismatch')).toBeNull();
    expect((await post(`${'x'.repeat(MIB)}y`)).headers.get('idempotency-body-mismatch')).toBe('true');
  });
});
