import type { Pool } from 'pg';
import type { Assistant } from '../assistant/assistant.ts';
import { demoAssistant } from '../assistant/demo-assistant.ts';
import { createLive, type Live } from '../live/live.ts';
import { createPushMeter, type PushMeter } from '../push/meter.ts';
import { noProvider, type PushProvider } from '../push/provider.ts';
import { type Clock, DatabaseClock } from './clock.ts';
import { ConnectionWatch } from './connection-watch.ts';
import { createDatabase, type Database } from './database.ts';
import { createLimits, type Limits } from './limits.ts';
import { type Log, silentLog } from './log.ts';
import { createSearchPool } from './search-pool.ts';
import { doneBefore, settleAll } from './settle.ts';
import { createStatusPool } from './status-pool.ts';

/** What the domain works with; made once per process. Every member can be replaced by value. */
export interface Services extends Database {
  /** For connections of one's own: listeners, session locks. */
  databaseUrl: string;
  /** Ends connections that are silent; every one is to be watched. */
  connections: ConnectionWatch;
  clock: Clock;
  log: Log;
  limits: Limits;
  /** For searches alone: few, and cut off early. */
  searchPool: Pool;
  /** For `/readyz` alone: one connection, which calls cannot use up. */
  readinessPool: Pool;
  /** For `/metrics` alone, in the same way. */
  metricsPool: Pool;
  /** What this process hears of the others. */
  live: Live;
  /** Writes replies to traders. */
  assistant: Assistant;
  /** Reaches phones. */
  push: PushProvider;
  pushMeter: PushMeter;
  /** Whether the console's cookie may only travel over https. */
  secureCookies: boolean;
}

export interface ServicesOptions {
  databaseUrl: string;
  /** Connections at most (10). */
  poolMax?: number;
  /** The database's by default; a {@link DatabaseClock} is kept right. */
  clock?: Clock;
  log?: Log;
  /** Calls of one token a minute; 0 for no limit. */
  rateLimitPerMinute?: number;
  secureCookies?: boolean;
  /** A demo assistant by default. */
  assistant?: Assistant;
  /** By default what would be sent is recorded alone. */
  push?: PushProvider;
}

export async function createServices(options: ServicesOptions): Promise<Services> {
  const log = options.log ?? silentLog;
  const { databaseUrl } = options;
  const clock = options.clock ?? new DatabaseClock();
  const connections = new ConnectionWatch({
    databaseUrl,
    log,
    ...(clock instanceof DatabaseClock && { onDatabaseTime: (...times) => clock.correct(...times) }),
  });
  const database = await createDatabase({
    url: databaseUrl,
    poolMax: options.poolMax ?? 10,
    connections,
    log,
  });
  return {
    ...database,
    databaseUrl,
    connections,
    clock,
    log,
    limits: createLimits(options.rateLimitPerMinute ?? 0, clock),
    searchPool: createSearchPool(databaseUrl, connections, log),
    readinessPool: createStatusPool(databaseUrl, 'readiness', connections, log),
    metricsPool: createStatusPool(databaseUrl, 'metrics', connections, log),
    live: createLive({ databaseUrl, connections, pool: database.pool, log }),
    assistant: options.assistant ?? demoAssistant,
    push: options.push ?? noProvider(log),
    pushMeter: createPushMeter(),
    secureCookies: options.secureCookies ?? false,
  };
}

/** What a connection may take to close: a server that went silent never answers. */
const CLOSE_MS = 1_500;

/** Closes everything side by side. What fails or hangs holds nothing else up; failures are thrown at the end. */
export async function closeServices(services: Services): Promise<void> {
  const { live, push, searchPool, readinessPool, metricsPool, orm, connections, log } = services;
  const parts = {
    live: live.close(),
    push: push.close(),
    search: searchPool.end(),
    readiness: readinessPool.end(),
    metrics: metricsPool.end(),
    database: orm.close(true),
    heartbeat: connections.close(),
  };
  const deadline = AbortSignal.timeout(CLOSE_MS);
  await settleAll(
    Object.entries(parts).map(async ([part, closed]) => {
      if (!(await doneBefore(deadline, closed))) log.warn({ part }, 'connections did not close in time');
    }),
  );
}

/** How busy the pool is, for metrics. */
export function poolGauges(pool: Pool): { total: number; idle: number; waiting: number } {
  return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
}
