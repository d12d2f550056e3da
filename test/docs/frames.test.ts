import { once } from 'node:events';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import WebSocket from 'ws';
import { blocksOf } from './blocks.ts';
import { type DemoGateway, openDemo } from './demo.ts';

let demo: DemoGateway;
beforeAll(async () => {
  demo = await openDemo(inject('postgresUrl'));
});
afterAll(() => demo[Symbol.asyncDispose]());

const blocks = await blocksOf('apps/gateway/guides/live-streams.md');

test('the service answers the frames of the guide as documented', async () => {
  const { data: page } = await demo.rpc('tickets.list', { token: demo.token, body: { limit: 1 } });
  const ticket: string = page.data[0].id;
  const frames = blocks
    .filter(({ mark }) => mark === 'sent')
    .map(({ code }) => code.replace('fd_live_…', demo.token).replace(/tkt_[0-9a-z]{26}/, ticket));
  expect(frames.length).toBe(2);

  const socket = new WebSocket(`${demo.url.replace('http', 'ws')}/trpc?connectionParams=1`);
  const received: string[] = [];
  socket.on('message', (data) => received.push(String(data)));
  const arrived = (text: string) => () => received.find((frame) => frame.includes(text));
  await once(socket, 'open');
  for (const frame of frames) socket.send(frame);
  await expect.poll(arrived('started')).toBe('{"id":1,"result":{"type":"started"}}');

  await demo.rpc('tickets.addNote', { token: demo.token, body: { ticket, body: 'Seen.' } });
  await expect.poll(arrived('message.created')).toBeDefined();
  const [shown] = blocks.filter(({ mark }) => mark === 'received').map(({ code }) => JSON.parse(code));
  const event = JSON.parse(arrived('message.created')()!);
  const { id } = event.result;
  expect(id).toMatch(/^\d+-[0-9a-z]+-[0-9a-f]{8}$/);
  // The event of the guide gets the id of the received one.
  shown.result.id = id;
  shown.result.data.json.id = id;
  expect(event).toMatchObject(shown);
  expect(Object.keys(event.result.data.json).sort()).toEqual(Object.keys(shown.result.data.json).sort());

  socket.send('PING');
  await expect.poll(arrived('PONG')).toBe('PONG');
  socket.send('{ "id": 1, "method": "subscription.stop" }');
  await expect.poll(arrived('stopped')).toContain('"id":1');
  socket.close();
});
