import { type AnyEntity, type EntityClass, type EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import type { Kysely } from 'kysely';
import { type Pool, types } from 'pg';
import { connectionOptions } from '../connections/connection.ts';
import { waitForSlots } from '../connections/connection-slots.ts';
import type { ConnectionWatch } from '../connections/connection-watch.ts';
import { ApiError } from '../process/errors.ts';
import type { Log } from '../process/log.ts';
import type { NamedMigration } from './run-migrations.ts';
import { withWireTypes } from './wire-types.ts';

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
  pool: Pool;
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

/** Creates the ORM and its pool. The first query connects. Sessions have the limits of {@link connectionOptions}, and 10 s for a lock. */
export async function createDatabase(options: DatabaseOptions): Promise<Database> {
  let pool: Pool | undefined;
  const connection = connectionOptions(options.url, { name: 'main', lockTimeoutMs: 10_000 });
  const orm = await MikroORM.init({
    dbName: connection.database ?? '',
    // A start must not create a database: its name may be misspelled.
    ensureDatabase: false,
    entities: [...options.entities],
    discovery: { warnWhenNoEntities: true, checkDuplicateFieldNames: false },
    forceUtcTimezone: true,
    // An entity that does not exist, or is of another firm, is not found by the API either.
    findOneOrFailHandler: () => new ApiError('resource_not_found'),
    pool: { min: 0, max: options.poolMax, idleTimeoutMillis: 30_000 },
    driverOptions: {
      ...connection,
      onPoolCreated: (created: Pool) => {
        pool = created;
        created.options.types = withWireTypes(created.options.types ?? types);
        waitForSlots(created);
        options.connections.addPool(created);
      },
    },
    // Without this, the ORM's schema diff would drop the queue's schema.
    schemaGenerator: { ignoreSchema: ['graphile_worker'] },
    logger: (message) => options.log.warn({ source: 'mikro-orm' }, message),
    debug: false,
  });
  await orm.em.getConnection().getNativeClient();
  if (!pool) throw new Error('The driver created no connection pool.');
  return { orm, pool, migrations: options.migrations };
}
