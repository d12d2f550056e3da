import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';

/**
 * Locks an account until the transaction ends: `shared` to open a session, `exclusive` to end its sessions or to change how it signs in. So a
 * session is either opened before the change, and ended by it, or not opened. Read the account afterwards. This is no lock on its row,
 * because concurrent row locks on a table that Citus copies to every server end in a deadlock, even on different rows.
 *
 * The order of locks, without which two calls can wait for each other: an invite, then the account, then its rows (challenges, passkeys, second
 * factor, password, tokens). So a transaction that takes a challenge or uses a passkey finds out whose it is, locks the account, and reads it
 * again.
 */
export async function lockAccount(
  { db }: OperationContext,
  userId: string,
  mode: 'shared' | 'exclusive',
): Promise<void> {
  const lock = sql.raw(mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  await sql`select ${lock}(hashtextextended(${`account ${userId}`}, 0))`.execute(db);
}
