import { type TrackedEnvelope, tracked } from '@trpc/server';
import { z } from 'zod';
import type { EventStream } from '../platform/events/follow.ts';
import type { StreamEvent } from '../platform/events/subscriber.ts';

export type TrackedStream<Event> = AsyncIterable<TrackedEnvelope<Event>>;

/** A stream that can also call a function with each event. Iterate, or call `deliverTo`, once. */
export interface DeliveredStream<Event> extends TrackedStream<Event> {
  /** Resolves at the end. */
  deliverTo(deliver: (event: TrackedEnvelope<Event>) => void): Promise<void>;
}

/** The schema of each stream's events, for the document and the generated types. */
export const eventSchemas = new Map<z.core.$ZodType, z.ZodType>();

/** Returns the output schema of a subscription whose events carry ids to resume from. Its events are not checked at run time. */
export function trackedStreamOf<Event extends z.ZodType>(event: Event) {
  const stream = z.custom<TrackedStream<z.output<Event>>>();
  eventSchemas.set(stream, event);
  return stream;
}

/** Returns what a subscriber receives of a stored event, in addition to `type`. */
export type ToWire = (event: Pick<StreamEvent, 'type' | 'body'>) => object;

/**
 * Converts events of the log to events on the wire. An event that many subscriptions receive is converted to one object, which
 * the transport serializes once: `toWire` must depend on the event only, not on the viewer.
 */
export function trackedEvents<Event>(
  events: EventStream,
  toWire: ToWire = ({ body }) => body,
): DeliveredStream<Event> {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const event of events) yield envelopeOf<Event>(event, toWire);
    },
    deliverTo: (deliver) => events.deliverTo((event) => deliver(envelopeOf(event, toWire))),
  };
}

function envelopeOf<Event>(event: StreamEvent, toWire: ToWire): TrackedEnvelope<Event> {
  event.sent ??= tracked(event.id, { type: event.type, ...toWire(event) });
  return event.sent as TrackedEnvelope<Event>;
}
