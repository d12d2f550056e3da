import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const UPGRADE = [
  'Host: x',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
const POST = [
  'POST /v1/sessions HTTP/1.1',
  'Host: x',
  'Content-Type: application/json',
  'Content-Length: 900',
  'Idempotency-Key: 6f9a2f5e-7d0b-4a52-9a3c-0d7a6a1f6b11',
];
const request = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;

/** The bytes that a client sends before it falls silent, by a description for test titles. */
export const silentClients = {
  'sends nothing': '',
  'sends half a head': 'GET /v1/ping HTTP/1.1\r\nHost: x\r\n',
  'sends half a body': `${request(...POST)}{"email":`,
  'does not read its responses': request('GET /v1/openapi.json HTTP/1.1', 'Host: x').repeat(40),
  'stays idle after an answer': request('GET /healthz HTTP/1.1', 'Host: x'),
  'has its upgrade rejected': request('GET /nowhere HTTP/1.1', ...UPGRADE),
  'sends something other than HTTP': request('EHLO x'),
  'does not answer a websocket’s close': request('GET /trpc?connectionParams=1 HTTP/1.1', ...UPGRADE),
};

/** Connects and sends the text. After that it neither reads nor closes, even when the server closes. */
export async function openSilentClient(url: string, text: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on('error', () => {});
  await once(socket, 'connect');
  if (text !== '') socket.write(text);
  return socket;
}
