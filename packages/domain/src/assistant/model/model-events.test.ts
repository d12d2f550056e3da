import { expect, test } from 'vitest';
import { type ModelEvent, readModelEvents } from './model-events.ts';

/** Returns the events of a body that arrives in pieces of one byte. */
async function eventsOf(body: string): Promise<ModelEvent[]> {
  async function* pieces() {
    for (const byte of Buffer.from(body)) yield Uint8Array.of(byte);
  }
  const events: ModelEvent[] = [];
  for await (const read of readModelEvents(pieces())) events.push(...read);
  return events;
}

test.each([
  ['{"choices":[]}', [{ name: 'message', data: '{"choices":[]}', isWhole: true }]],
  [' \n[1]\n', [{ name: 'message', data: ' \n[1]\n', isWhole: true }]],
  ['\n: a comment\n\ndata: {\ndata: é}', [{ name: 'message', data: '{\né}', isWhole: false }]],
  ['event: error\ndata: x\n\n', [{ name: 'error', data: 'x', isWhole: false }]],
  ['', []],
])('a body in pieces of one byte is read as what it is: %j', async (body, events) => {
  expect(await eventsOf(body)).toEqual(events);
});

test.each(['{"a":"', ' ', 'data: '])(
  'a long body in pieces of one byte takes no more time than its size needs: %j',
  async (head) => {
    const before = process.cpuUsage();
    await eventsOf(head.padEnd(300_000, head === ' ' ? ' ' : 'a'));
    // With a look at the whole body for each piece, it takes 7 seconds and more.
    expect(process.cpuUsage(before).user).toBeLessThan(3_000_000);
  },
);
