import type { Pool } from 'pg';
import { isUnavailable } from '../database/database-errors.ts';
import { delay } from '../process/delay.ts';
import type { LogPosition } from './event-id.ts';
import { readTopic, type Topic } from './event-log.ts';
import type { Hub } from './hub.ts';
import type { Deliver, StreamEvent, Subscriber } from './subscriber.ts';

/** Rows per read while a subscriber catches up. */
const PAGE = 200;
const RETRY_MS = 500;

/**
 * What a client has received: the events up to a place in the log, `unknown` if the log cannot tell, or null if it subscribes
 * for the first time.
 */
export type Received = LogPosition | 'unknown' | null;

/** Where a subscription starts: the events to send first, and the place in the log to continue after. */
export interface ResumePoint extends LogPosition {
  first: { type: string; body: object }[];
  /** Whether the log ended there when it was read, so that there is nothing to catch up on. */
  isEnd?: boolean;
}

export interface Subscription {
  topic: Topic;
  /** Returns whether the subscriber needs to be woken for an event of the topic; by default for all. */
  isFor?: (event: Pick<StreamEvent, 'type' | 'body'>) => boolean;
  /** The id of the last event that the client received. */
  lastEventId: string | null | undefined;
  /** Returns the start of the subscription. With `unknown`, the events to send first begin with `resync`. */
  findStart: (received: Received) => Promise<ResumePoint>;
  signal: AbortSignal;
}

/** The events of a subscription. Iterate, or call `deliverTo`, once. */
export interface EventStream extends AsyncIterable<StreamEvent> {
  /** Calls the function with each event. Resolves at the end. Cheaper than iterating for an event that many viewers receive. */
  deliverTo(deliver: Deliver): Promise<void>;
  [Symbol.asyncIterator](): AsyncGenerator<StreamEvent>;
}

/**
 * Returns the events of a topic, each once and in order, until the signal. Includes every event that commits after this
 * function resolves. A subscriber that falls behind continues from the log; while the database is unavailable, it waits. When the
 * log has lost events, the subscription starts again with `resync`.
 */
export async function follow(
  { hub, pool }: { hub: Hub; pool: Pool },
  subscription: Subscription,
): Promise<EventStream> {
  const { topic, isFor, lastEventId, signal } = subscription;
  const subscriber = hub.join(topic, isFor);
  const leave = () => {
    hub.leave(topic, subscriber);
    subscriber.wake();
  };
  // A generator that is never started does not run its `finally`, so the signal unsubscribes.
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  try {
    const start = await findStart(hub, subscriber, subscription, () =>
      lastEventId == null ? null : hub.parse(lastEventId),
    );
    if (start) return eventStream((deliver) => read({ hub, pool }, subscription, subscriber, start, deliver));
  } catch (error) {
    leave();
    throw error;
  }
  leave();
  return eventStream(noEvents);
}

async function* noEvents(): AsyncGenerator<StreamEvent> {}

/** @param read yields the events, except those that it can deliver as soon as they are queued */
function eventStream(read: (deliver: Deliver | null) => AsyncGenerator<StreamEvent>): EventStream {
  return {
    [Symbol.asyncIterator]: () => read(null),
    async deliverTo(deliver) {
      for await (const event of read(deliver)) deliver(event);
    },
  };
}

/** Returns the start of a subscription; null when the signal aborts first. */
function findStart(
  hub: Hub,
  subscriber: Subscriber,
  { topic, findStart, signal }: Subscription,
  received: () => Received,
): Promise<ResumePoint | null> {
  return retryWhileUnavailable(async () => {
    // First, so that no event can commit unseen between the two.
    await hub.ready(topic);
    // What was queued before is in the log.
    subscriber.take();
    return await findStart(received());
  }, signal);
}

async function* read(
  { hub, pool }: { hub: Hub; pool: Pool },
  subscription: Subscription,
  subscriber: Subscriber,
  first: ResumePoint,
  deliver: Deliver | null,
): AsyncGenerator<StreamEvent> {
  const { topic, signal } = subscription;
  let start: ResumePoint | null = first;
  while (start) {
    let { position } = start;
    const deliverNew: Deliver | null =
      deliver &&
      ((event) => {
        if (event.position <= position) return;
        position = event.position;
        deliver(event);
      });
    const id = hub.idOf(start);
    for (const event of start.first) yield { id, position, ...event };
    let isBehind = !start.isEnd;
    let isReset = false;
    while (!signal.aborted && !hub.isClosed && !isReset) {
      if (isBehind) {
        const page = await retryWhileUnavailable(() => readTopic(pool, topic, position, PAGE), signal);
        if (!page) return;
        for (const event of page) {
          yield { id: hub.idOf(event), position: event.position, type: event.type, body: event.body };
          position = event.position;
        }
        isBehind = page.length === PAGE;
        continue;
      }
      await (deliverNew ? subscriber.deliverTo(deliverNew) : subscriber.wait());
      const taken = subscriber.take();
      isBehind = taken === 'behind';
      isReset = taken === 'reset';
      for (const event of typeof taken === 'string' ? [] : taken) {
        if (event.position <= position) continue;
        yield event;
        position = event.position;
      }
    }
    if (!isReset) return;
    start = await findStart(hub, subscriber, subscription, () => 'unknown');
  }
}

/** Retries while the database is unavailable. Returns null when the signal aborts first. */
export async function retryWhileUnavailable<T>(
  attempt: () => Promise<T>,
  signal: AbortSignal,
): Promise<T | null> {
  while (!signal.aborted) {
    try {
      return await attempt();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      await delay(RETRY_MS, signal);
    }
  }
  return null;
}
