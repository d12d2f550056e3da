import type { Pool } from 'pg';
import type { Clock } from './clock.ts';
import type { ConnectionWatch } from './connection-watch.ts';
import type { Database } from './database.ts';
import type { Live } from './events/live.ts';
import type { Log } from './log.ts';

/**
 * What the domain works with; made once per process. Every member can be replaced by value. What other layers need is added
 * by declaration merging, beside what declares it.
 */
export interface Services extends Database {
  /** For connections of one's own: listeners, session locks. */
  databaseUrl: string;
  /** Ends connections that are silent; every one is to be watched. */
  connections: ConnectionWatch;
  clock: Clock;
  log: Log;
  /** For searches alone: few, and cut off early. */
  searchPool: Pool;
  /** For `/readyz` alone: one connection, which calls cannot use up. */
  readinessPool: Pool;
  /** For `/metrics` alone, in the same way. */
  metricsPool: Pool;
  /** What this process hears of the others. */
  live: Live;
}
