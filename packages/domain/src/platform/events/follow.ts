import type { Pool } from 'pg';
import { isUnavailable } from '../database-errors.ts';
import { pause } from '../pause.ts';
import { type LiveEvent, readTopic, type Topic } from './event-log.ts';
import type { Hub, Seat } from './hub.ts';

/** Rows a read when a viewer catches up. */
const PAGE = 200;
const RETRY_MS = 500;

/** Where a viewer begins: what it is told first, and the position after which the log goes on. */
export interface Beginning {
  position: number;
  first: { type: string; body: object }[];
}

/** What a viewer is told. `position` is where it resumes. */
export type Told = Pick<LiveEvent, 'position' | 'type' | 'body'>;

/**
 * The events of a topic, each once and in order, until the signal: all that commit after this resolves are among them. A
 * viewer that falls behind reads on from the log; one whose database is away waits for it.
 */
export async function follow(
  { hub, pool }: { hub: Hub; pool: Pool },
  topic: Topic,
  begin: () => Promise<Beginning>,
  signal: AbortSignal,
): Promise<AsyncGenerator<Told>> {
  const seat = await persist(() => hub.join(topic), signal);
  if (!seat) return none();
  const leave = () => {
    hub.leave(topic, seat);
    seat.wake();
  };
  // Not left to the generator alone: one that is never begun ends without a word.
  signal.addEventListener('abort', leave, { once: true });
  try {
    // Only once the place is taken: what commits from here on arrives there.
    const beginning = await persist(begin, signal);
    if (beginning) return read({ hub, pool }, topic, seat, beginning, signal);
  } catch (error) {
    leave();
    throw error;
  }
  leave();
  return none();
}

async function* none(): AsyncGenerator<Told> {}

async function* read(
  { hub, pool }: { hub: Hub; pool: Pool },
  topic: Topic,
  seat: Seat,
  beginning: Beginning,
  signal: AbortSignal,
): AsyncGenerator<Told> {
  let { position } = beginning;
  for (const event of beginning.first) yield { position, ...event };
  let isBehind = true;
  while (!signal.aborted && !hub.isClosed) {
    if (isBehind) {
      const page = await persist(() => readTopic(pool, topic, position, PAGE), signal);
      if (!page) return;
      for (const event of page) {
        yield event;
        position = event.position;
      }
      isBehind = page.length === PAGE;
      continue;
    }
    await seat.wait();
    const events = seat.take();
    for (const event of events ?? []) {
      if (event.position <= position) continue;
      yield event;
      position = event.position;
    }
    isBehind = events === null;
  }
}

/** Tries until it succeeds, while the database is away; null when the signal is given first. */
export async function persist<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T | null> {
  while (!signal.aborted) {
    try {
      return await attempt();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      await pause(RETRY_MS, signal);
    }
  }
  return null;
}
