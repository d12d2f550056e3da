import {
  type AnyEntity,
  type EntityClass,
  type EntitySchema,
  MikroORM,
  type SqlEntityManager,
} from '@mikro-orm/postgresql';
import type { Kysely } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { connectionOptions } from './connection.ts';
import type { ConnectionWatch } from './connection-watch.ts';
import type { Log } from './log.ts';
import { prepareMarked } from './prepared.ts';
import type { NamedMigration } from './run-migrations.ts';

export interface DatabaseOptions {
  url: string;
  poolMax: number;
  connections: ConnectionWatch;
  log: Log;
  /** Every table that the ORM writes. */
  entities: readonly (EntitySchema | EntityClass<AnyEntity>)[];
  /** In order. */
  migrations: readonly NamedMigration[];
}

/** The ORM for writes, and the pool that it and the prepared reads share. */
export interface Database {
  orm: MikroORM;
  pool: Pool;
  /** What makes the schema, in order. */
  migrations: readonly NamedMigration[];
}

/** Every table as plain SQL sees it: snake_case, moments as the contract writes them (see {@link wireTime}). The app adds them. */
// biome-ignore lint/suspicious/noEmptyInterface: its members come by declaration merging.
export interface Tables {}

export type Sql = Kysely<Tables>;

/** Plain SQL on the manager's connection; inside its transaction where it has one. */
export function sqlOf(em: SqlEntityManager): Sql {
  return em.getKysely<Tables>();
}

export const TIMESTAMPTZ = 1184;

/**
 * PostgreSQL's text of a moment as the contract writes it: ISO 8601, `Z`, milliseconds, or microseconds where it has
 * them. The session's zone is UTC.
 */
export function wireTime(text: string): string {
  const fraction = text.slice(20, -3);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(fraction.length > 3 ? 6 : 3, '0')}Z`;
}

/**
 * Opens nothing yet: the first query connects. Every session is bounded as {@link connectionOptions} says, with 10 s for a
 * lock.
 */
export async function createDatabase(options: DatabaseOptions): Promise<Database> {
  let pool: Pool | undefined;
  const orm = await MikroORM.init({
    clientUrl: options.url,
    entities: [...options.entities],
    discovery: { warnWhenNoEntities: true, checkDuplicateFieldNames: false },
    forceUtcTimezone: true,
    pool: { min: 0, max: options.poolMax, idleTimeoutMillis: 30_000 },
    driverOptions: {
      ...connectionOptions({ name: 'main', lockTimeoutMs: 10_000 }),
      onPoolCreated: (created: Pool) => {
        pool = created;
        const { types } = created.options as unknown as {
          types: { setTypeParser(oid: number, parse: unknown): void };
        };
        types.setTypeParser(TIMESTAMPTZ, wireTime);
        prepareMarked(created);
        reclaimEndedClients(created);
        options.connections.addPool(created);
      },
    },
    // What the ORM's schema diff does not know, it would drop.
    schemaGenerator: { ignoreSchema: ['graphile_worker'] },
    logger: (message) => options.log.warn({ source: 'mikro-orm' }, message),
    debug: false,
  });
  await orm.em.getConnection().getNativeClient();
  if (!pool) throw new Error('The driver made no connection pool.');
  return { orm, pool, migrations: options.migrations };
}

/**
 * Takes a connection back that ended while it was lent. Kysely gives one back only after a COMMIT or ROLLBACK that
 * succeeded: without this, each transaction that a restart of the server cuts off would cost the pool a connection for good.
 */
function reclaimEndedClients(pool: Pool): void {
  const lent = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => void lent.add(client));
  pool.on('release', (_error, client) => void lent.delete(client));
  pool.on('connect', (client) =>
    client.once('end', () => {
      if (!lent.has(client)) return;
      client.release(true);
      // Whoever still holds it may give it back too.
      client.release = () => {};
    }),
  );
}
