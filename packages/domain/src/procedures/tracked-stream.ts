import { type TrackedEnvelope, tracked } from '@trpc/server';
import { z } from 'zod';
import type { StreamEvent } from '../platform/events/subscriber.ts';

export type TrackedStream<Event> = AsyncIterable<TrackedEnvelope<Event>>;

/** The schema of each stream's events, for the document and the generated types. */
export const eventSchemas = new WeakMap<z.core.$ZodType, z.ZodType>();

/** Returns the output schema of a subscription whose events carry ids to resume from. Its events are not checked at run time. */
export function trackedStreamOf<Event extends z.ZodType>(event: Event) {
  const stream = z.custom<TrackedStream<z.output<Event>>>();
  eventSchemas.set(stream, event);
  return stream;
}

const envelopes = new WeakMap<StreamEvent, TrackedEnvelope<unknown>>();

/**
 * Converts events of the log to events on the wire. An event that many subscriptions receive is converted to one object, which
 * the transport serializes once: its content must depend on the event only, not on the viewer.
 */
export async function* trackedEvents<Event>(
  events: AsyncIterable<StreamEvent>,
): AsyncGenerator<TrackedEnvelope<Event>> {
  for await (const event of events) {
    let envelope = envelopes.get(event);
    if (!envelope) {
      const { id, type, body } = event;
      envelope = tracked(id, { type, ...body });
      envelopes.set(event, envelope);
    }
    yield envelope as TrackedEnvelope<Event>;
  }
}
