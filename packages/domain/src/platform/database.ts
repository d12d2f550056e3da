import {
  type AnyEntity,
  type EntityClass,
  EntityManager,
  type EntitySchema,
  MikroORM,
  type SqlEntityManager,
} from '@mikro-orm/postgresql';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { connectionOptions } from './connection.ts';
import { waitForSlots } from './connection-slots.ts';
import type { ConnectionWatch } from './connection-watch.ts';
import type { Log } from './log.ts';
import { applyMarks } from './prepared.ts';
import type { NamedMigration } from './run-migrations.ts';
import { INT8, parseBigint, TIMESTAMPTZ, wireTime } from './wire-types.ts';

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

/** Returns Kysely on the manager's connection, in its transaction if it has one. */
export function sqlOf(em: SqlEntityManager): Sql {
  return em.getKysely<Tables>();
}

/** Creates an entity manager, like `fork` of the ORM's own. That one sets an environment variable twice, which takes most of its time. */
export function createEntityManager({ config, driver, em }: MikroORM): SqlEntityManager {
  return new EntityManager(config, driver, em.getMetadata(), false, em.getEventManager());
}

/** Returns whether a manager has entities. Without, it has nothing to flush, and finding that out takes longer. */
export function hasEntities(em: SqlEntityManager): boolean {
  const entities = em.getUnitOfWork();
  return (
    entities.getPersistStack().size > 0 ||
    entities.getRemoveStack().size > 0 ||
    entities.getIdentityMap().values().length > 0
  );
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
    pool: { min: 0, max: options.poolMax, idleTimeoutMillis: 30_000 },
    driverOptions: {
      ...connection,
      onPoolCreated: (created: Pool) => {
        pool = created;
        const { types } = created.options as unknown as {
          types: { setTypeParser(oid: number, parse: unknown): void };
        };
        types.setTypeParser(TIMESTAMPTZ, wireTime);
        types.setTypeParser(INT8, parseBigint);
        applyMarks(created);
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
