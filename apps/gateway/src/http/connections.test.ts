import { once } from 'node:events';
import { type ClientRequest, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { attachmentPath, MAX_ATTACHMENT_BYTES } from '@firmdesk/contract';
import { createTicket, createUser } from '@firmdesk/testing';
import {
  createUserWithToken,
  openSilentClient,
  openTestGateway,
  silentClients,
} from '@firmdesk/testing/gateway';
import { expect, inject, test, vi } from 'vitest';
import { trackConnections } from './connections.ts';

/** The test's own time limit: without the server's limits, most of these clients would block a drain forever. */
const PATIENCE_MS = 20_000;
const MEGABYTE = 1_000_000;
/** The slow clients pause so long after each megabyte: a file takes longer than a client may be silent. */
const PAUSE_MS = 250;

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

test('completes an upload and a download over slow lines, and ends a download whose client no longer reads', async () => {
  await using gateway = await openTestGateway(inject('postgresUrl'));
  const { firm, token } = await createUserWithToken(gateway, {
    permissions: ['view_tickets', 'manage_tickets'],
  });
  const trader = await createUser(gateway.services, { firm, role: 'trader' });
  const ticket = await createTicket(gateway.services, { firm, trader, messages: [{ body: 'Where is it?' }] });
  const content = Buffer.alloc(MAX_ATTACHMENT_BYTES, '%PDF-1.7\n');
  const announce = async (): Promise<string> => {
    const body = { ticket, name: 'a.pdf', size: content.length };
    return (await gateway.rpc('attachments.create', { token, body })).data.id;
  };
  const call = (method: string, id: string) =>
    request(`${gateway.url}${attachmentPath(firm.slug, id)}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    });
  const answerTo = async (sent: ClientRequest): Promise<IncomingMessage> => (await once(sent, 'response'))[0];
  /** Sends the file, a megabyte after each pause. */
  const upload = async (id: string, pauseMs: number): Promise<number> => {
    const sent = call('PUT', id);
    const answer = answerTo(sent);
    sent.setHeader('content-length', content.length);
    for (let at = 0; at < content.length; at += MEGABYTE) {
      sent.write(content.subarray(at, at + MEGABYTE));
      if (pauseMs > 0) await delay(pauseMs);
    }
    sent.end();
    return (await answer).statusCode!;
  };
  const [stored, arriving] = [await announce(), await announce()];
  expect(await upload(stored, 0)).toBe(204);

  const writing = vi.spyOn(gateway.services.objects, 'write');
  const uploaded = upload(arriving, PAUSE_MS);
  await expect.poll(() => writing.mock.calls.length).toBe(1);
  const [slow, stalled] = [call('GET', stored).end(), call('GET', stored).end()];
  const [answer, unread] = await Promise.all([answerTo(slow), answerTo(stalled)]);
  const isCut = once(unread, 'error');
  const drained = gateway.app.drain();
  let received = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    received += chunk.length;
    if (received % MEGABYTE < chunk.length) await delay(PAUSE_MS);
  }
  expect(received).toBe(content.length);
  expect(await uploaded).toBe(204);
  await drained;
  unread.resume();
  expect(await isCut).toMatchObject([{ code: 'ECONNRESET' }]);
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
