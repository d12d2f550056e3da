import { once } from 'node:events';
import { exchange, suiteGateway } from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';

const gateway = await suiteGateway();
const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
const requests: [name: string, lines: string[]][] = [
  ['REST', ['GET /v1/ping HTTP/1.1']],
  ['typed RPC', ['GET /trpc/ping HTTP/1.1']],
  ['the document', ['GET /v1/openapi.json HTTP/1.1']],
  ['the documentation', ['GET /docs/ HTTP/1.1']],
  ['files', ['GET /attachments/firm/att_1 HTTP/1.1']],
  ['avatars', ['GET /avatars/none HTTP/1.1']],
  ['health', ['GET /healthz HTTP/1.1']],
  ['the root', ['GET / HTTP/1.1']],
  ['an unknown path', ['GET /none HTTP/1.1']],
  ['a wrong method', ['PATCH /v1/ping HTTP/1.1']],
  ['a malformed request', ['GET /v1/ping HTTP/1.1', 'Broken']],
  ['a refused upgrade', ['GET /none HTTP/1.1', ...upgrade]],
];

test.each(requests)('an answer of %s names HTTPS if PUBLIC_URL does', async (_, [line, ...headers]) => {
  const { publicUrl } = gateway.services;
  const close = headers.some((header) => header.startsWith('Connection')) ? [] : ['Connection: close'];
  const ask = () => exchange(gateway.url, [line!, 'Host: x', ...close, ...headers]);
  try {
    expect(await ask()).not.toMatch(/strict-transport-security/i);
    gateway.services.publicUrl = () => 'https://desk.example';
    expect(await ask()).toMatch(/\r\nStrict-Transport-Security: max-age=31536000\r\n/);
  } finally {
    gateway.services.publicUrl = publicUrl;
  }
});

test('so does the answer to an upgrade', async () => {
  const { publicUrl } = gateway.services;
  gateway.services.publicUrl = () => 'https://desk.example';
  try {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/trpc`);
    const [response] = await once(socket, 'upgrade');
    socket.terminate();
    expect(response.headers['strict-transport-security']).toBe('max-age=31536000');
  } finally {
    gateway.services.publicUrl = publicUrl;
  }
});
