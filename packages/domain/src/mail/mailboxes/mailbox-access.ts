import { type SqlBool, sql } from 'kysely';
import { MAILBOX_READERS } from '../../access/policy.ts';
import type { OperationContext } from '../../platform/database/context.ts';

/** The account that calls, and the workspace in which it acts. */
export interface ReaderContext extends OperationContext {
  identity: { user: { id: string } };
  workspace: { id: number };
}

interface ReadableMailbox {
  id: number;
  email: string;
  name: string;
  /** Whether the caller may write from it. */
  can_write: boolean;
}

/** The mailboxes `b` that the caller may read in the workspace of the call. */
export function readableMailboxes({ db, identity, workspace }: ReaderContext) {
  return db.selectFrom(
    sql<ReadableMailbox>`(
      select b.id, b.email, b.name, r.can_write from ${sql.raw(MAILBOX_READERS)}
      where b.workspace_id = ${workspace.id} and r.user_id = ${identity.user.id})`.as('b'),
  );
}

/** Selects the mailbox with an id if the caller may write from it. */
export function writableMailbox(ctx: ReaderContext, id: number) {
  return readableMailboxes(ctx)
    .select(['b.id', 'b.email', 'b.name'])
    .where('b.id', '=', toIntegerId(id))
    .where('b.can_write', '=', true);
}

/** The condition that the caller may write from the mailbox of message `m`. */
export function inWritableMailbox(ctx: ReaderContext) {
  const writable = readableMailboxes(ctx).select('b.id').where('b.can_write', '=', true);
  return sql<SqlBool>`m.mailbox_id in ${writable}`;
}

/** Returns a number as an integer id. A number outside the range of PostgreSQL's `integer` becomes 0, an id that no row has. */
export function toIntegerId(value: number): number {
  return Math.abs(value) <= 2_147_483_647 ? value : 0;
}
