import { expect, test } from 'vitest';
import type { StreamEvent } from '../platform/events/subscriber.ts';
import { trackedEvents } from './tracked-stream.ts';

async function* streamOf(...events: StreamEvent[]) {
  yield* events;
}

test('converts an event once for all subscriptions that receive it', async () => {
  const body = { ticket: { id: 'tkt_1' } };
  const event: StreamEvent = { id: '1.7', position: 7, type: 'ticket.updated', body };
  const [first, second] = [trackedEvents(streamOf(event)), trackedEvents(streamOf(event))];
  const { value } = await first.next();
  expect(value?.slice(0, 2)).toEqual(['1.7', { type: 'ticket.updated', ticket: { id: 'tkt_1' } }]);
  expect((await second.next()).value).toBe(value);
  expect((await trackedEvents(streamOf({ ...event })).next()).value).not.toBe(value);
});
