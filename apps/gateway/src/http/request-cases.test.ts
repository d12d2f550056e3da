/**
 * Single requests as clients in the field send them, with the answer that each must get. `request-cases.json` has them:
 * `utf8` and `latin1` are bodies as text in that encoding, `coding` is the `Content-Encoding`, `compress` how the body is really
 * compressed if not in that way. Expected headers and `message` are parts, in any case.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { permissions } from '@firmdesk/contract';
import { createMailbox } from '@firmdesk/testing';
import { createUserWithToken, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeAll, expect, test } from 'vitest';
import { readOrigins } from './cors.ts';

interface Case {
  name: string;
  request: string;
  headers?: Record<string, string>;
  coding?: string;
  compress?: string;
  utf8?: string;
  latin1?: string;
  expect: {
    status: number;
    code?: string;
    headers?: Record<string, string>;
    headersWithout?: string[];
    message?: string;
    messageWithout?: string;
    data?: object;
    rows?: number;
  };
}

const cases: Case[] = JSON.parse(readFileSync(new URL('./request-cases.json', import.meta.url), 'utf8'));
const gateway = await suiteGateway({
  corsOrigins: readOrigins('https://app.partner.test,capacitor://localhost'),
});
let token: string;
let box: number;
beforeAll(async () => {
  const me = await createUserWithToken(gateway, { permissions: [...permissions] });
  token = me.token;
  box = (await createMailbox(gateway.services, { firm: me.firm, writes: [me.user] })).id;
});

const filled = (pattern: string): string =>
  pattern
    .replaceAll('{host}', new URL(gateway.url).host)
    .replaceAll('{box}', String(box))
    .replaceAll(/\{pad:(\d+)\}/g, (_, length) => 'x'.repeat(Number(length)));

const compressions: Record<string, (body: Buffer) => Buffer> = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  deflate: deflateSync,
  'deflate-raw': deflateRawSync,
  br: brotliCompressSync,
  'gzip-cut': (body) => gzipSync(body).subarray(0, -4),
};

function bodyOf({ utf8, latin1, coding = 'none', compress = coding }: Case): Buffer | null {
  const body =
    utf8 === undefined ? latin1 && Buffer.from(filled(latin1), 'latin1') : Buffer.from(filled(utf8));
  return body ? (compressions[compress.toLowerCase()]?.(body) ?? body) : null;
}

async function send(sent: Case): Promise<IncomingMessage & { body: string }> {
  const [method, path] = filled(sent.request).split(' ') as [string, string];
  const body = bodyOf(sent);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  httpRequest(gateway.url, { method, path, agent: false }, resolve)
    .setHeaders(
      new Map([
        ['Authorization', `Bearer ${token}`],
        ...(method === 'POST' ? [['Idempotency-Key', randomUUID()] as const] : []),
        ...(body ? [['Content-Type', 'application/json'] as const] : []),
        ...(sent.coding ? [['Content-Encoding', sent.coding] as const] : []),
        ...Object.entries(sent.headers ?? {}),
      ]),
    )
    .on('error', reject)
    .end(body ?? undefined);
  const answer = await promise;
  return Object.assign(answer, { body: await text(answer) });
}

test.each(cases)('$name', async (sent) => {
  const { statusCode, headers, body } = await send(sent);
  const { status, code, headers: parts = {}, message = '', messageWithout, data, rows } = sent.expect;
  expect(statusCode, body).toBe(status);
  for (const [name, part] of Object.entries(parts)) {
    expect(String(headers[name]).toLowerCase(), name).toContain(part.toLowerCase());
  }
  for (const name of sent.expect.headersWithout ?? []) expect(headers).not.toHaveProperty([name]);
  if (code === undefined && data === undefined && rows === undefined) return;
  const parsed = JSON.parse(body);
  // Typed RPC has its errors in another place.
  const error = parsed.error?.json ? { ...parsed.error.json, ...parsed.error.json.data } : parsed.error;
  expect(error?.code).toBe(code);
  expect((error?.message ?? '').toLowerCase()).toContain(message.toLowerCase());
  if (messageWithout) expect(error.message).not.toContain(messageWithout);
  if (data) expect(parsed.data).toMatchObject(data);
  if (rows !== undefined) expect(parsed.data).toHaveLength(rows);
});
