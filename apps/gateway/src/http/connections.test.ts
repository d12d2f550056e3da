import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, inject, test } from 'vitest';
import { openSilentClient, silentClients } from '../testing/silent-clients.ts';
import { openTestGateway } from '../testing/test-gateway.ts';
import { trackConnections } from './connections.ts';

/** The test's own time limit: without the server's limits, most of these clients would block a drain forever. */
const PATIENCE_MS = 20_000;

test.each(Object.entries(silentClients))('a client that %s does not delay a drain', async (_, text) => {
  await using gateway = await openTestGateway(inject('postgresUrl'));
  const client = await openSilentClient(gateway.url, text);
  // Connections are accepted in order: after this response the server has accepted the silent client.
  await fetch(`${gateway.url}/healthz`);
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const drained = await Promise.race([
    gateway.app.drain().then(() => true),
    once(patience, 'abort').then(() => false),
  ]);
  client.destroy();
  expect(drained).toBe(true);
});

test('disconnects a client that keeps its connection open after a rejected upgrade', async () => {
  await using gateway = await openTestGateway(inject('postgresUrl'));
  const client = await openSilentClient(gateway.url, silentClients['has its upgrade rejected']);
  const open = () => new Promise((resolve) => gateway.app.server.getConnections((_, n) => resolve(n)));
  await expect.poll(open).toBe(0);
  client.destroy();
});

test('completes a response that its client is still reading', async () => {
  const answer = Buffer.alloc(64_000_000);
  const server = createServer((_, res) => void res.end(answer));
  const connections = trackConnections(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = await openSilentClient(`http://127.0.0.1:${port}`, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => connections.responses.size).toBe(1);
  const closed = connections.close(new AbortController().signal);
  let received = 0;
  client.on('data', (chunk) => {
    received += chunk.length;
  });
  await expect.poll(() => received).toBeGreaterThan(answer.length);
  client.end();
  await closed;
});
