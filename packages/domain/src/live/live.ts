import type { Pool } from 'pg';
import type { Log } from '../kernel/log.ts';
import type { Topic } from './event-log.ts';
import { type Beginning, follow, type Told } from './follow.ts';
import { Hub } from './hub.ts';
import { Listener } from './listener.ts';

/** The id of what changed; null when anything may have, because the listening connection was away. */
type Hearer = (id: string | null) => void;

/** What a process hears of the others. Its connection opens when something first needs it. */
export interface Live {
  follow(topic: Topic, begin: () => Promise<Beginning>, signal: AbortSignal): AsyncGenerator<Told>;
  /** What an account may do has changed. Returns how to stop hearing of it. */
  onAccessChange(hearer: Hearer): () => void;
  /** A run of the assistant was stopped. */
  onRunStopped(hearer: Hearer): () => void;
  /** Null before anything needed it. */
  readonly isListening: boolean | null;
  close(): Promise<void>;
}

export function createLive({ databaseUrl, pool, log }: { databaseUrl: string; pool: Pool; log: Log }): Live {
  const hub = new Hub(pool, log);
  const hearers = { access: new Set<Hearer>(), run: new Set<Hearer>() };
  const listener = new Listener({
    databaseUrl,
    log,
    onMessage(payload) {
      if (payload === 'log') return hub.nudge();
      const [kind, id] = payload.split(':');
      if (kind === 'access' || kind === 'run') for (const hear of hearers[kind]) hear(id ?? null);
    },
    onListening() {
      hub.nudge();
      for (const hear of [...hearers.access, ...hearers.run]) hear(null);
    },
  });
  const hearing = (kind: keyof typeof hearers) => (hearer: Hearer) => {
    listener.start();
    hearers[kind].add(hearer);
    return () => void hearers[kind].delete(hearer);
  };
  return {
    follow(topic, begin, signal) {
      listener.start();
      return follow({ hub, pool }, topic, begin, signal);
    },
    onAccessChange: hearing('access'),
    onRunStopped: hearing('run'),
    get isListening() {
      return listener.isListening;
    },
    async close() {
      hub.close();
      await listener.close();
    },
  };
}
