import { migrations } from '../../../domain/src/app/migrations/index.ts';
import { createPool } from '../../../domain/src/platform/connections/connection.ts';
import { type MigrateOptions, migrate } from '../../../domain/src/platform/database/migrate.ts';
import type { NamedMigration } from '../../../domain/src/platform/database/run-migrations.ts';
import { withSetupLock } from '../../../domain/src/platform/database/setup-lock.ts';
import { silentLog } from '../../../domain/src/platform/process/log.ts';

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
