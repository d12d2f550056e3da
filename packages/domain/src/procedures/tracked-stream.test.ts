import type { TrackedEnvelope } from '@trpc/server';
import { expect, test } from 'vitest';
import type { EventStream } from '../platform/events/follow.ts';
import type { StreamEvent } from '../platform/events/subscriber.ts';
import { trackedEvents } from './tracked-stream.ts';

function streamOf(...events: StreamEvent[]): EventStream {
  return {
    async *[Symbol.asyncIterator]() {
      yield* events;
    },
    deliverTo: async (deliver) => events.forEach(deliver),
  };
}

test('converts an event once for all subscriptions that receive it', async () => {
  const body = { ticket: { id: 'tkt_1' } };
  const event: StreamEvent = { id: '1.7', position: 7, type: 'ticket.updated', body };
  const delivered: unknown[] = [];
  await trackedEvents(streamOf(event, { ...event })).deliverTo((envelope) => void delivered.push(envelope));
  for await (const envelope of trackedEvents(streamOf(event))) delivered.push(envelope);
  const [first, copy, again] = delivered as TrackedEnvelope<unknown>[];
  expect(first?.slice(0, 2)).toEqual(['1.7', { type: 'ticket.updated', ticket: { id: 'tkt_1' } }]);
  expect(again).toBe(first);
  expect(copy).not.toBe(first);
});
