import type { IncomingMessage } from 'node:http';
import { TestLog } from '@firmdesk/testing';
import { openTestGateway, type TestGateway } from '@firmdesk/testing/gateway';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { WebSocket } from 'ws';
import { ConfigError, readConfig } from '../config.ts';
import { clientAddress, readTrustedProxies } from './client-address.ts';

/** The maximum sign-ins per minute of one address, for all accounts together. */
const ATTEMPTS_PER_MINUTE = 60;

const request = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as IncomingMessage;

test.each([
  // trusted, connection, X-Forwarded-For, client
  ['0', '10.0.0.1', '203.0.113.9', '10.0.0.1'],
  ['1', '10.0.0.1', undefined, '10.0.0.1'],
  ['1', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['1', '10.0.0.1', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['2', '10.0.0.1', '6.6.6.6, 198.51.100.1, 203.0.113.9', '198.51.100.1'],
  ['2', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['10.0.0.0/8', '10.0.0.1', '6.6.6.6,203.0.113.9,10.1.2.3', '203.0.113.9'],
  ['10.0.0.0/8', '192.0.2.1', '203.0.113.9', '192.0.2.1'],
  ['10.0.0.1, 2001:db8::/32', '2001:db8::5', '203.0.113.9, 10.0.0.1', '203.0.113.9'],
  ['127.0.0.1', '::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['1', '10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
  ['1', '10.0.0.1', '', '10.0.0.1'],
  ['1', '10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
  ['1', '10.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
])(
  'with %s trusted, from %s and forwarded for %s, the client is %s',
  (trusted, remote, forwarded, client) => {
    expect(clientAddress(readTrustedProxies(trusted))(request(remote, forwarded))).toBe(client);
  },
);

test('warns once about TRUSTED_PROXIES when an untrusted address forwards', () => {
  const log = new TestLog();
  const addressOf = clientAddress(readTrustedProxies('10.0.0.0/8'), log);
  addressOf(request('192.0.2.1'));
  addressOf(request('10.0.0.1', '203.0.113.9'));
  expect(log.lines).toEqual([]);
  addressOf(request('192.0.2.1', '203.0.113.9'));
  addressOf(request('192.0.2.2', '203.0.113.9'));
  expect(log.lines).toHaveLength(1);
  expect(log.lines[0]).toMatchObject({ level: 'warn', fields: { address: '192.0.2.1' } });
  expect(log.lines[0]!.message).toContain('add it to TRUSTED_PROXIES');
});

test.each(['x', '-1', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', '10.0.0.1,', '2001:db8::/129', '1.5'])(
  'rejects TRUSTED_PROXIES=%s at the start',
  (text) => {
    const read = () => readConfig({ TRUSTED_PROXIES: text }, '/');
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/TRUSTED_PROXIES must be a number of hops/);
  },
);

test('SOCKETS_PER_ADDRESS is an integer, 100 by default', () => {
  expect(readConfig({}, '/').socketsPerAddress).toBe(100);
  expect(readConfig({ SOCKETS_PER_ADDRESS: '5000' }, '/').socketsPerAddress).toBe(5_000);
  for (const text of ['0', '-1', '1.5', 'many']) {
    const read = () => readConfig({ SOCKETS_PER_ADDRESS: text }, '/');
    expect(read).toThrow('SOCKETS_PER_ADDRESS must be an integer from 1 to 1000000');
  }
});

describe('limits by address, behind a proxy', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await openTestGateway(inject('postgresUrl'), {
      limitsSignIns: true,
      trustedProxies: { hops: 1 },
      socketsPerAddress: 3,
    });
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  test('counts the sign-ins of each client separately, over REST and RPC, by addresses that the client cannot forge', async () => {
    const headers = (client: string, claimed = 0) => ({ 'x-forwarded-for': `192.0.2.${claimed}, ${client}` });
    // Each attempt uses another account, so that only the address limit applies.
    let accounts = 0;
    const attempt = () => ({ email: `nobody-${++accounts}@example.com`, password: 'wrong' });
    const overRest = async (client: string, claimed?: number) =>
      (await gateway.request('POST /v1/sessions', { body: attempt(), headers: headers(client, claimed) }))
        .status;
    const overRpc = async (client: string) =>
      (await gateway.rpc('sessions.signIn', { body: attempt(), headers: headers(client) })).status;
    for (let n = 0; n < ATTEMPTS_PER_MINUTE; n++) expect(await overRest('203.0.113.1', n)).toBe(401);
    expect(await overRest('203.0.113.1', 99)).toBe(429);
    expect(await overRpc('203.0.113.1')).toBe(429);
    expect(await overRest('203.0.113.2')).toBe(401);
    expect(await overRpc('203.0.113.3')).toBe(401);
  });

  test('counts the sockets of each client separately', async () => {
    const open = (client: string) =>
      new Promise<WebSocket | number>((resolve) => {
        const ws = new WebSocket(`${gateway.url.replace(/^http/, 'ws')}/trpc?connectionParams=1`, {
          headers: { 'x-forwarded-for': client },
        });
        ws.once('open', () => resolve(ws));
        ws.once('unexpected-response', (_, { statusCode }) => resolve(statusCode ?? 0));
        ws.on('error', () => {});
      });
    const held = await Promise.all([1, 2, 3].map(() => open('203.0.113.1')));
    expect(await open('203.0.113.1')).toBe(429);
    const other = await open('203.0.113.2');
    // One customer controls a whole /64 of IPv6 addresses.
    held.push(...(await Promise.all([1, 2, 3].map((n) => open(`2001:db8:1:2::${n}`)))));
    expect(await open('2001:db8:1:2:ffff::4')).toBe(429);
    held.push(await open('2001:db8:1:3::1'));
    for (const ws of [...held, other]) {
      expect(ws).toBeInstanceOf(WebSocket);
      (ws as WebSocket).terminate();
    }
  });
});
