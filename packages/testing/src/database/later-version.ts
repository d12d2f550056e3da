import { migrate, silentLog, withSetupLock } from '@firmdesk/domain';
import { createPool, type MigrateOptions, migrations, type NamedMigration } from '@firmdesk/domain/testing';

/** Migrates a database as a later version does, which has more migrations. Returns the names of those that were applied. */
export async function migrateAsLater(
  databaseUrl: string,
  added: readonly NamedMigration[],
  options: MigrateOptions = {},
): Promise<string[]> {
  const pool = createPool(databaseUrl, { name: 'later version' }, { max: 1 });
  const later = { pool, databaseUrl, log: silentLog, migrations: [...migrations, ...added] };
  try {
    return await withSetupLock(databaseUrl, () => migrate(later, options));
  } finally {
    await pool.end();
  }
}
