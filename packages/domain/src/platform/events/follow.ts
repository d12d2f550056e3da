import type { Pool } from 'pg';
import { isUnavailable } from '../database-errors.ts';
import { delay } from '../delay.ts';
import { type LiveEvent, readTopic, type Topic } from './event-log.ts';
import type { Hub, Subscriber } from './hub.ts';

/** Rows per read while a subscriber catches up. */
const PAGE = 200;
const RETRY_MS = 500;

/** Where a subscription starts: the events to send first, and the log position to continue after. */
export interface ResumePoint {
  position: number;
  first: { type: string; body: object }[];
}

/** An event as a subscription yields it. A subscription that is opened again resumes after `position`. */
export type StreamEvent = Pick<LiveEvent, 'position' | 'type' | 'body'>;

/**
 * Yields the events of a topic, each once and in order, until the signal. Includes every event that commits after this
 * function resolves. A subscriber that falls behind continues from the log; while the database is unavailable, it waits.
 */
export async function follow(
  { hub, pool }: { hub: Hub; pool: Pool },
  topic: Topic,
  findStart: () => Promise<ResumePoint>,
  signal: AbortSignal,
): Promise<AsyncGenerator<StreamEvent>> {
  const subscriber = await retryWhileUnavailable(() => hub.join(topic), signal);
  if (!subscriber) return noEvents();
  const leave = () => {
    hub.leave(topic, subscriber);
    subscriber.wake();
  };
  // A generator that is never started does not run its `finally`, so the signal unsubscribes.
  signal.addEventListener('abort', leave, { once: true });
  try {
    // After `join`, so that no event can commit unseen between the two.
    const start = await retryWhileUnavailable(findStart, signal);
    if (start) return read({ hub, pool }, topic, subscriber, start, signal);
  } catch (error) {
    leave();
    throw error;
  }
  leave();
  return noEvents();
}

async function* noEvents(): AsyncGenerator<StreamEvent> {}

async function* read(
  { hub, pool }: { hub: Hub; pool: Pool },
  topic: Topic,
  subscriber: Subscriber,
  start: ResumePoint,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  let { position } = start;
  for (const event of start.first) yield { position, ...event };
  let isBehind = true;
  while (!signal.aborted && !hub.isClosed) {
    if (isBehind) {
      const page = await retryWhileUnavailable(() => readTopic(pool, topic, position, PAGE), signal);
      if (!page) return;
      for (const event of page) {
        yield event;
        position = event.position;
      }
      isBehind = page.length === PAGE;
      continue;
    }
    await subscriber.wait();
    const events = subscriber.take();
    for (const event of events ?? []) {
      if (event.position <= position) continue;
      yield event;
      position = event.position;
    }
    isBehind = events === null;
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
