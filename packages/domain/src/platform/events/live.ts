import type { Pool } from 'pg';
import type { ConnectionWatch } from '../connection-watch.ts';
import type { Log } from '../log.ts';
import type { Topic } from './event-log.ts';
import { follow, type ResumePoint, type StreamEvent } from './follow.ts';
import { Hub } from './hub.ts';
import { Listener } from './listener.ts';

type Hearer = (runId: string) => void;

/** What a process hears of the others. Its connection opens when something first needs it. */
export interface Live {
  follow(
    topic: Topic,
    begin: () => Promise<ResumePoint>,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<StreamEvent>>;
  /** A run of the assistant was stopped; a hint, which may be lost. Returns how to stop hearing of it. */
  onRunStopped(hearer: Hearer): () => void;
  /** The position up to which this process has read the log; what it hands out afterwards lies beyond. */
  readonly readThrough: number;
  /** Null before anything needed it. */
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
  const hearers = new Set<Hearer>();
  const listener = new Listener({
    databaseUrl,
    connections,
    log,
    onMessage(payload) {
      if (payload === 'log') return hub.wake();
      const [kind, id] = payload.split(':');
      if (kind === 'run' && id) for (const hear of hearers) hear(id);
    },
    onListening: () => hub.wake(),
  });
  return {
    follow(topic, begin, signal) {
      listener.start();
      return follow({ hub, pool }, topic, begin, signal);
    },
    onRunStopped(hearer) {
      listener.start();
      hearers.add(hearer);
      return () => void hearers.delete(hearer);
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
