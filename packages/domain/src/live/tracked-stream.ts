import { type TrackedEnvelope, tracked } from '@trpc/server';
import { z } from 'zod';
import type { Told } from './follow.ts';

export type TrackedStream<Event> = AsyncIterable<TrackedEnvelope<Event>>;

/** The output of a subscription whose events carry the ids by which it is resumed. Made by us: its events are not checked. */
export function trackedStreamOf<Event>() {
  return z.custom<TrackedStream<Event>>();
}

/** The log's rows as events on the wire. */
export async function* trackedEvents<Event>(
  told: AsyncIterable<Told>,
): AsyncGenerator<TrackedEnvelope<Event>> {
  for await (const { position, type, body } of told) {
    yield tracked(String(position), { type, ...body } as Event);
  }
}
