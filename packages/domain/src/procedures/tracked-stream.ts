import { type TrackedEnvelope, tracked } from '@trpc/server';
import { z } from 'zod';
import type { StreamEvent } from '../platform/events/follow.ts';

export type TrackedStream<Event> = AsyncIterable<TrackedEnvelope<Event>>;

/** The schema of the events of each stream, for what derives from declarations. */
export const eventSchemas = new WeakMap<z.core.$ZodType, z.ZodType>();

/** The output of a subscription whose events carry the ids by which it is resumed. Made by us: its events are not checked. */
export function trackedStreamOf<Event extends z.ZodType>(event: Event) {
  const stream = z.custom<TrackedStream<z.output<Event>>>();
  eventSchemas.set(stream, event);
  return stream;
}

/** The log's rows as events on the wire. */
export async function* trackedEvents<Event>(
  events: AsyncIterable<StreamEvent>,
): AsyncGenerator<TrackedEnvelope<Event>> {
  for await (const { position, type, body } of events) {
    yield tracked(String(position), { type, ...body } as Event);
  }
}
