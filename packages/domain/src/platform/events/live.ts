import type { Pool } from 'pg';
import type { ConnectionWatch } from '../connection-watch.ts';
import type { Log } from '../log.ts';
import type { Topic } from './event-log.ts';
import { follow, type ResumePoint, type StreamEvent } from './follow.ts';
import { Hub } from './hub.ts';
import { Listener } from './listener.ts';

type SignalHandler = (id: string) => void;

/** What this process receives from the others: the events of the log, and signals. Connects on first use. */
export interface Live {
  follow(
    topic: Topic,
    begin: () => Promise<ResumePoint>,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<StreamEvent>>;
  /** Handles the signals of a kind, which may be lost. Returns a function that removes the handler. */
  onSignal(kind: string, handler: SignalHandler): () => void;
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

export function createLive({ databaseUrl, connections, pool, log }: LiveOptions): Live {
  const hub = new Hub(pool, log);
  const handlers = new Map<string, Set<SignalHandler>>();
  const listener = new Listener({
    databaseUrl,
    connections,
    log,
    onMessage(payload) {
      if (payload === 'log') return hub.wake();
      const [kind, id] = payload.split(':');
      if (kind && id) for (const handle of handlers.get(kind) ?? []) handle(id);
    },
    onListening: () => hub.wake(),
  });
  return {
    follow(topic, begin, signal) {
      listener.start();
      return follow({ hub, pool }, topic, begin, signal);
    },
    onSignal(kind, handler) {
      listener.start();
      const ofKind = handlers.get(kind) ?? new Set();
      handlers.set(kind, ofKind.add(handler));
      return () => void ofKind.delete(handler);
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
