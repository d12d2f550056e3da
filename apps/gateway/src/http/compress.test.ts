import { once } from 'node:events';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { publicProcedure, router } from '@firmdesk/domain/testing';
import { openTestGateway, type TestGateway } from '@firmdesk/testing/gateway';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';

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
  list: publicProcedure({
    tag: 'Test',
    summary: 'Return a list of texts',
    rest: 'GET /v1/test/list',
    conditional: true,
    input: z.object({ count: z.coerce.number() }),
    output: z.object({
      data: z.array(z.string()),
      meta: z.object({ count: z.int() }).meta({ description: 'The number of texts.' }),
    }),
  }).query(({ input: { count } }) => ({ data: texts(count), meta: { count } })),
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
async function send(path: string, acceptEncoding?: string, method = 'GET', others: object = {}) {
  const headers = { ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }), ...others };
  const request = http.request(gateway.url + path, { method, headers }).end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const body = await buffer(response);
  const encoding = response.headers['content-encoding'] ?? 'identity';
  return {
    status: response.statusCode,
    headers: response.headers,
    encoding,
    bytes: body.length,
    text: method === 'HEAD' ? '' : decoders[encoding as keyof typeof decoders](body).toString(),
  };
}

const rpc = (names: string, count: number) => {
  const inputs = Object.fromEntries(names.split(',').map((_, i) => [i, { json: { count } }]));
  return `/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
};

describe.each([
  ['/v1', '/v1/test/texts?count=1000'],
  ['a conditional list of /v1', '/v1/test/list?count=1000'],
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

describe('a conditional response', () => {
  const path = '/v1/test/list?count=1000';

  test('is the same in each encoding, with the same tag', async () => {
    const { text, headers } = await send(path);
    expect(JSON.parse(text)).toMatchObject({ data: texts(1000), meta: { count: 1000 } });
    for (const encoding of ['br', 'gzip']) {
      const sent = await send(path, encoding);
      expect(JSON.parse(sent.text).data).toEqual(texts(1000));
      expect(sent.headers.etag).toBe(headers.etag);
    }
    expect((await send('/v1/test/list?count=999')).headers.etag).not.toBe(headers.etag);
  });

  test.each([undefined, 'br'])('with Accept-Encoding %s, HEAD has the headers of GET', async (accepted) => {
    const get = await send(path, accepted);
    const head = await send(path, accepted, 'HEAD');
    expect(head.bytes).toBe(0);
    for (const name of ['etag', 'vary']) expect(head.headers[name], name).toBe(get.headers[name]);
    expect(head.headers['content-length']).toBe(accepted ? undefined : String(get.bytes));
  });

  test.each([undefined, 'br'])('with Accept-Encoding %s, If-None-Match is compared', async (accepted) => {
    const { headers } = await send(path, accepted);
    const again = await send(path, accepted, 'GET', { 'if-none-match': headers.etag });
    expect([again.status, again.bytes, again.headers.etag]).toEqual([304, 0, headers.etag]);
    const changed = await send(path, accepted, 'GET', { 'if-none-match': 'W/"other"' });
    expect([changed.status, JSON.parse(changed.text).data]).toEqual([200, texts(1000)]);
    expect(changed.encoding).toBe(accepted ?? 'identity');
  });
});

test.each(['br', 'gzip', undefined])(
  'a file of /docs is compressed once and not for each request, also as %s',
  async (accepted) => {
    const sent = await send('/docs/assets/scalar.js', accepted);
    expect(sent.status).toBe(200);
    expect(sent.encoding).toBe(accepted ?? 'identity');
    // What is compressed while it is sent has no length yet.
    expect(sent.headers['content-length']).toBe(String(sent.bytes));
    expect(sent.text.length).toBeGreaterThan(1_000_000);
    const again = await send('/docs/assets/scalar.js', accepted, 'HEAD');
    expect(again.headers).toMatchObject({ 'content-length': String(sent.bytes), etag: sent.headers.etag });
  },
);
