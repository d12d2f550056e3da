import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { sqlState } from '../database/database-errors.ts';

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Returns the epoch of the event log: it changes when the database is replaced by an earlier state, which may have lost events. A
 * promoted standby and a recovery to a point in time have a new timeline, a restored dump has new object ids, and another server
 * has another system identifier. A file system snapshot changes none of them: the tags of the events tell that.
 */
export async function readEpoch(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ origin: string }>(
    `select concat_ws('/', d.oid, 'event_log'::regclass::oid, left(pg_walfile_name(pg_current_wal_lsn()), 8)) as origin
     from pg_database d where d.datname = current_database()`,
  );
  return createHash('sha256')
    .update(`${await readSystemIdentifier(pool)}/${rows[0]!.origin}`)
    .digest('hex')
    .slice(0, 8);
}

/** Some hosts do not let a role read it; the rest of the epoch must then do. */
async function readSystemIdentifier(pool: Pool): Promise<string> {
  try {
    const { rows } = await pool.query<{ id: string }>(
      'select system_identifier::text as id from pg_control_system()',
    );
    return rows[0]!.id;
  } catch (error) {
    if (sqlState(error) === INSUFFICIENT_PRIVILEGE) return '';
    throw error;
  }
}
