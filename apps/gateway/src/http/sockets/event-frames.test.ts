import { on, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AppRouter, appRouter } from '@firmdesk/domain';
import { tracked, transformTRPCResponse } from '@trpc/server';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { EventFrames, headOf, textFrame } from './event-frames.ts';

const router: AppRouter = appRouter;
const frames = new EventFrames(router);
const data = { type: 'ticket.updated', ticket: { id: 'tkt_1', subject: 'Größe "L"', tags: [], unread: 0 } };

test.each([{ id: 1 }, { id: 'a"b' }, { id: 7, jsonrpc: '2.0' as const }])(
  'a frame for $id is the one that tRPC would send',
  (reference) => {
    const frame = frames.frameOf(headOf(reference), tracked('12', data));
    const result = { type: 'data' as const, id: '12', data: { id: '12', data } };
    const whole = transformTRPCResponse(router._def._config, { ...reference, result });
    expect(frame).toEqual(textFrame(JSON.stringify(whole)));
  },
);

test('the frame of an event is made once for all subscriptions with the same id', () => {
  const event = tracked('12', data);
  const frame = frames.frameOf(headOf({ id: 1 }), event);
  expect(frames.frameOf(headOf({ id: 1 }), event)).toBe(frame);
  expect(frames.frameOf(headOf({ id: 2 }), event)).not.toBe(frame);
  expect(frames.frameOf(headOf({ id: 1 }), tracked('13', data))).not.toBe(frame);
});

test('a websocket client reads frames of every length', async () => {
  const texts = [0, 1, 125, 126, 65_535, 65_536, 200_000].map((length) => 'x'.repeat(length));
  texts.push('Größe'.repeat(10_000));
  const server = createServer();
  const wss = new WebSocketServer({ noServer: true });
  server.on('upgrade', (req, socket, head) =>
    wss.handleUpgrade(req, socket, head, () => {
      for (const text of texts) socket.write(textFrame(text));
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  try {
    const read: { text: string; isBinary: boolean }[] = [];
    for await (const [data, isBinary] of on(client, 'message')) {
      if (read.push({ text: String(data), isBinary }) === texts.length) break;
    }
    expect(read).toEqual(texts.map((text) => ({ text, isBinary: false })));
  } finally {
    client.terminate();
    server.close();
  }
});
