import { createRestClient, type SessionOptions } from '@firmdesk/client';
import { createTestGateway } from '@firmdesk/client/testing';
import { expect, test } from 'vitest';
import document from '../../apps/gateway/openapi.json' with { type: 'json' };

function open(over: Partial<SessionOptions> = {}) {
  const gateway = createTestGateway();
  const { url, token, fetch } = gateway;
  return { gateway, rest: createRestClient({ url, token, fetch, ...over }) };
}

test('answers each operation with its recorded example', async () => {
  const { gateway, rest } = open();
  const found: string[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, { responses }] of Object.entries(item as Record<string, { responses: object }>)) {
      const call = rest[method.toUpperCase() as 'GET'] as (
        path: string,
        init: object,
      ) => Promise<{ data: unknown }>;
      const params = { path: { id: 'key_1', ticket: 'tkt_1' } };
      const { data } = await call(path, { params });
      const examples = Object.entries(responses).flatMap(([status, { content }]) =>
        Number(status) < 300 ? [content['application/json'].examples.demo.value.data] : [],
      );
      expect(examples).toContainEqual(data);
      found.push(`${method.toUpperCase()} ${path}`);
    }
  }
  expect(gateway.calls.map(({ operation }) => operation)).toEqual(found);
});

test('fails the next calls with the recorded error, which the client retries like one of the service', async () => {
  const { gateway, rest } = open();
  gateway.fail('POST /v1/admin/tickets/{ticket}/ai', 'ticket_ended');
  gateway.fail('GET /v1/ping', 'unavailable', 2);
  const init = { params: { path: { ticket: 'tkt_1' } }, body: { instruction: 'Say hello.' } };
  await expect(rest.POST('/v1/admin/tickets/{ticket}/ai', init)).rejects.toMatchObject({
    code: 'ticket_ended',
    status: 409,
    message: expect.any(String),
  });
  await rest.POST('/v1/admin/tickets/{ticket}/ai', init);
  await rest.GET('/v1/ping');
  expect(gateway.calls.map(({ body }) => body)).toEqual([
    { instruction: 'Say hello.' },
    { instruction: 'Say hello.' },
    undefined,
    undefined,
    undefined,
  ]);
  // @ts-expect-error this operation has no such error
  expect(() => gateway.fail('GET /v1/ping', 'ticket_ended')).toThrow(
    'GET /v1/ping has no error ticket_ended.',
  );
});

test('answers with the data that a test sets, and ends a list after one page', async () => {
  const { gateway, rest } = open();
  const [row] = (await rest.GET('/v1/affiliates/pre-registrations')).data;
  gateway.answer('GET /v1/affiliates/pre-registrations', [row!, { ...row!, email: 'kim@example.com' }]);
  const emails: string[] = [];
  for await (const { email } of rest.rows('/v1/affiliates/pre-registrations')) emails.push(email);
  expect(emails).toEqual([row!.email, 'kim@example.com']);
});

test('checks the token, the idempotency key and the path as the service does', async () => {
  const { gateway, rest } = open();
  await expect(open({ token: 'fd_live_other' }).rest.GET('/v1/ping')).rejects.toMatchObject({
    code: 'invalid_token',
    status: 401,
  });
  const send = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const authorization = `Bearer ${gateway.token}`;
    const response = await gateway.fetch(`${gateway.url}${path}`, {
      method,
      headers: { authorization, ...headers },
    });
    return { response, body: await response.json() };
  };
  expect((await send('POST', '/v1/me/devices')).body.error.code).toBe('missing_idempotency_key');
  expect((await send('GET', '/v1/nothing')).response.status).toBe(404);
  expect((await send('PUT', '/v1/ping')).response.headers.get('allow')).toBe('GET');
  const key = { 'idempotency-key': '0d9b4b62-4d3c-4f51-9c89-4b1a6a3d5f10' };
  await send('POST', '/v1/me/devices', key);
  const replay = await send('POST', '/v1/me/devices', key);
  expect(replay.response.headers.get('idempotent-replayed')).toBe('true');
  await rest.GET('/v1/ping');
});
