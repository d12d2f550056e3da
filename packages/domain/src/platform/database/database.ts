import type { AnyEntity, EntityClass, EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import type { Kysely } from 'kysely';
import { createPool, type DatabasePool } from '../connections/connection.ts';
import type { ConnectionWatch } from '../connections/connection-watch.ts';
import { ApiError } from '../process/errors.ts';
import type { Log } from '../process/log.ts';
import type { NamedMigration } from './migrations/run-migrations.ts';
import { openOrm } from './open-orm.ts';
import { wireTypes } from './wire-types.ts';

export interface DatabaseOptions {
  url: string;
  poolMax: number;
  connections: ConnectionWatch;
  log: Log;
  /** Every table that the ORM writes. */
  entities: readonly (EntitySchema | EntityClass<AnyEntity>)[];
  /** In the order of application. */
  migrations: readonly NamedMigration[];
}

/** The ORM, and the pool that it shares with direct queries. */
export interface Database {
  orm: MikroORM;
  pool: DatabasePool;
  /** The migrations of the schema, in the order of application. */
  migrations: readonly NamedMigration[];
}

/** The tables as Kysely sees them: snake_case, times as the contract writes them (see {@link wireTime}). `app/` declares them. */
// biome-ignore lint/suspicious/noEmptyInterface: `app/` adds the members by declaration merging.
export interface Tables {}

export type Sql = Kysely<Tables>;

/** Returns Kysely on the main pool. Each statement takes a connection. */
export function sqlOf({ em }: MikroORM): Sql {
  return em.getKysely<Tables>();
}

/** Creates the pool and the ORM on it. The first query connects. Sessions wait at most 10 s for a lock. */
export async function createDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, poolMax: max, connections, log, migrations } = options;
  const use = { name: 'main', lockTimeoutMs: 10_000 };
  const pool = createPool(url, use, { max, idleTimeoutMillis: 30_000, types: wireTypes });
  pool.on('error', (error) => log.warn({ err: error }, 'a connection was lost'));
  connections.addPool(pool);
  const orm = await openOrm(url, pool, {
    entities: [...options.entities],
    discovery: { warnWhenNoEntities: true, checkDuplicateFieldNames: false },
    // An entity that does not exist, or is of another firm, is not found by the API either.
    findOneOrFailHandler: () => new ApiError('resource_not_found'),
    // Without this, the ORM's schema diff would drop the queue's schema.
    schemaGenerator: { ignoreSchema: ['graphile_worker'] },
    logger: (message) => log.warn({ source: 'mikro-orm' }, message),
  });
  return { orm, pool, migrations };
}
