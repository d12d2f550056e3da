import type { Pool } from 'pg';
import type { Log } from '../log.ts';
import type { Signals } from '../signals/signals.ts';
import type { Topic } from './event-log.ts';
import { follow, type ResumePoint, type StreamEvent } from './follow.ts';
import { Hub } from './hub.ts';

/** Delivers the events of the log to this process. */
export interface Live {
  follow(
    topic: Topic,
    findStart: () => Promise<ResumePoint>,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<StreamEvent>>;
  /** The position up to which this process has read the log. */
  readonly readThrough: number;
  close(): void;
}

export interface LiveOptions {
  signals: Signals;
  pool: Pool;
  log: Log;
}

/** Creates the reader of the event log of this process. It reads while there are subscribers. */
export function createLive({ signals, pool, log }: LiveOptions): Live {
  const hub = new Hub(pool, log);
  let stopListening: (() => void) | null = null;
  return {
    follow(topic, findStart, signal) {
      stopListening ??= signals.on('log', () => hub.wake());
      return follow({ hub, pool }, topic, findStart, signal);
    },
    get readThrough() {
      return hub.readThrough;
    },
    close() {
      stopListening?.();
      hub.close();
    },
  };
}
