import { MikroORM, type Options } from '@mikro-orm/postgresql';
import { PostgresDialect } from 'kysely';
import type { DatabasePool } from '../connections/connection.ts';
import { readDatabaseUrl } from './connections/database-url.ts';

/** Opens the ORM on a pool, which it ends when it is closed after its first query. */
export function openOrm(url: string, pool: DatabasePool, options: Partial<Options>): Promise<MikroORM> {
  return MikroORM.init({
    // The migrator creates a database of this name if there is none.
    dbName: readDatabaseUrl(url).database ?? '',
    // A start must not create a database: its name may be misspelled.
    ensureDatabase: false,
    driverOptions: new PostgresDialect({ pool }),
    forceUtcTimezone: true,
    debug: false,
    ...options,
  });
}
