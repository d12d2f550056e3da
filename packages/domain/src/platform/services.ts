import type { Pool } from 'pg';
import type { ConnectionWatch } from './connections/connection-watch.ts';
import type { PoolSizes } from './connections/pool-sizes.ts';
import type { noReplica, Replica } from './database/connections/replica.ts';
import type { Database } from './database/database.ts';
import type { FirmServers } from './database/firm-servers.ts';
import type { Live } from './events/live.ts';
import type { Signals } from './events/signals/signals.ts';
import type { ObjectStore } from './objects/object-store.ts';
import type { Presence } from './presence/presence.ts';
import type { Clock } from './process/clock.ts';
import type { InstallationSecret } from './process/installation-secret.ts';
import type { Log } from './process/log.ts';

/**
 * The dependencies of the domain, created once per process. Tests can replace each member. Other layers add their members by
 * declaration merging.
 */
export interface Services extends Database {
  /** For separate connections: signals, session locks. */
  databaseUrl: string;
  /** Ends silent connections. Every connection must be added to it. */
  connections: ConnectionWatch;
  clock: Clock;
  /** Returns the URL by which clients reach the gateway, without a slash at the end. Empty in a process that serves no clients. */
  publicUrl: () => string;
  log: Log;
  /** The limits of the pools. */
  poolSizes: PoolSizes;
  /** Only for searches: few connections with a short time limit. The main pool if there is none for searches. */
  searchPool: Pool;
  /** For reads outside of a transaction that any server with all that was committed before may answer. */
  replica: Replica | typeof noReplica;
  /** Where the rows of firms are. One server, until the gateway has asked the migrated database. */
  firmServers: FirmServers;
  /** Only for `/metrics`: one connection. The main pool if there is none for metrics. */
  metricsPool: Pool;
  /** How many rows of each kind this process has pruned. */
  prunedRows: Map<string, number>;
  /** Signs what the installation gives to clients and reads again. */
  secret: InstallationSecret;
  /** Contents of files. */
  objects: ObjectStore;
  /** Tells all processes that something is to be read. */
  signals: Signals;
  /** The events of all processes. */
  live: Live;
  /** Who attends to what, in all processes. */
  presence: Presence;
}
