import { once } from 'node:events';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { publicProcedure, router } from '@firmdesk/domain/testing';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { openTestGateway, type TestGateway } from '../testing/test-gateway.ts';

const texts = (count: number) => Array.from({ length: count }, (_, i) => `text ${i}`);
const declaration = {
  tag: 'Test',
  summary: 'Return texts',
  input: z.object({ count: z.coerce.number() }),
  output: z.array(z.string()),
} as const;

const testRouter = router({
  texts: publicProcedure({ ...declaration, rest: 'GET /v1/test/texts' }).query(({ input }) =>
    texts(input.count),
  ),
  token: publicProcedure({
    ...declaration,
    rest: 'GET /v1/test/token',
    hasSecret: true,
  }).query(({ input }) => texts(input.count)),
});

const decoders = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body };

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await openTestGateway(inject('postgresUrl'), { router: testRouter });
  return () => gateway[Symbol.asyncDispose]();
});

/** Sends a request without decoding the response. */
async function send(path: string, acceptEncoding?: string, method = 'GET') {
  const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding };
  const request = http.request(gateway.url + path, { method, headers }).end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const body = await buffer(response);
  const encoding = response.headers['content-encoding'] ?? 'identity';
  return {
    status: response.statusCode,
    headers: response.headers,
    encoding,
    bytes: body.length,
    text: decoders[encoding as keyof typeof decoders](body).toString(),
  };
}

const rpc = (names: string, count: number) => {
  const inputs = Object.fromEntries(names.split(',').map((_, i) => [i, { json: { count } }]));
  return `/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
};

describe.each([
  ['/v1', '/v1/test/texts?count=1000'],
  ['/trpc', rpc('texts', 1000)],
  ['/v1/openapi.json', '/v1/openapi.json'],
  ['/docs', '/docs/guides/errors'],
])('%s', (_, path) => {
  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['identity', 'identity'],
    ['zstd', 'identity'],
    ['br;q=0, gzip;q=0', 'identity'],
    [undefined, 'identity'],
  ])('answers Accept-Encoding %s with %s', async (accepted, encoding) => {
    const plain = await send(path);
    const sent = await send(path, accepted);
    expect(sent.encoding).toBe(encoding);
    expect(sent.headers.vary).toMatch(/\bAccept-Encoding\b/i);
    expect(sent.text.length).toBe(plain.text.length);
    if (encoding !== 'identity') expect(sent.bytes).toBeLessThan(plain.bytes / 2);
    if (sent.headers['content-length']) expect(sent.headers['content-length']).toBe(String(sent.bytes));
  });
});

test.each([
  ['/v1', '/v1/test/texts?count=1'],
  ['/trpc', rpc('texts', 1)],
])('%s does not compress a body of less than 1 kB', async (_, path) => {
  const sent = await send(path, 'br, gzip');
  expect(sent.encoding).toBe('identity');
  expect(sent.headers.vary).toMatch(/\bAccept-Encoding\b/);
});

test.each([
  ['/v1', '/v1/test/token?count=1000'],
  ['/trpc', rpc('token', 1000)],
  ['a batch of /trpc with one', rpc('texts,token', 1000)],
])('%s does not compress a response with a secret', async (_, path) => {
  const sent = await send(path, 'br, gzip');
  expect(sent.status).toBe(200);
  expect(sent.bytes).toBeGreaterThan(10_000);
  expect(sent.encoding).toBe('identity');
});

test('HEAD has no Content-Length that differs from the one of GET', async () => {
  const path = '/v1/test/texts?count=1000';
  const plain = await send(path);
  expect((await send(path, undefined, 'HEAD')).headers['content-length']).toBe(String(plain.bytes));
  const head = await send(path, 'br', 'HEAD');
  expect(head.headers['content-length']).toBeUndefined();
  expect(head.headers.vary).toMatch(/\bAccept-Encoding\b/);
  expect(head.bytes).toBe(0);
});
