import type { Pool } from 'pg';
import type { ConnectionWatch } from '../connection-watch.ts';
import type { Log } from '../log.ts';
import type { Topic } from './event-log.ts';
import { follow, type ResumePoint, type StreamEvent } from './follow.ts';
import { Hub } from './hub.ts';
import { Listener, payloadOf } from './listener.ts';

/** Delivers the events of the log, and signals, to this process. Connects on first use. */
export interface Live {
  follow(
    topic: Topic,
    findStart: () => Promise<ResumePoint>,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<StreamEvent>>;
  /**
   * Calls `check` when the signal arrives, and when it may have been missed: initially, and after each reconnection. `check`
   * reads from the tables whether the signal was sent. Returns a function that ends the calls.
   */
  onSignal(kind: string, id: string, check: () => void): () => void;
  /** The position up to which this process has read the log. */
  readonly readThrough: number;
  /** Null before the first use. */
  readonly isListening: boolean | null;
  close(): Promise<void>;
}

export interface LiveOptions {
  databaseUrl: string;
  connections: ConnectionWatch;
  pool: Pool;
  log: Log;
}

/** Creates the event log's reader and the listener of this process. Neither connects before its first use. */
export function createLive({ databaseUrl, connections, pool, log }: LiveOptions): Live {
  const hub = new Hub(pool, log);
  const checks = new Map<string, Set<() => void>>();
  const listener = new Listener({
    databaseUrl,
    connections,
    log,
    onMessage(payload) {
      if (payload === 'log') return hub.wake();
      for (const check of checks.get(payload) ?? []) check();
    },
    onListening() {
      hub.wake();
      for (const check of [...checks.values()].flatMap((ofSignal) => [...ofSignal])) check();
    },
  });
  return {
    follow(topic, findStart, signal) {
      listener.start();
      return follow({ hub, pool }, topic, findStart, signal);
    },
    onSignal(kind, id, check) {
      listener.start();
      const signal = payloadOf(kind, id);
      const ofSignal = checks.get(signal) ?? new Set();
      checks.set(signal, ofSignal.add(check));
      if (listener.isListening) check();
      return () => {
        ofSignal.delete(check);
        if (ofSignal.size === 0) checks.delete(signal);
      };
    },
    get readThrough() {
      return hub.readThrough;
    },
    get isListening() {
      return listener.isListening;
    },
    async close() {
      hub.close();
      await listener.close();
    },
  };
}
