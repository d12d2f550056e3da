import { sql } from 'kysely';
import type { Identity } from '../access/identity.ts';
import { mayActFor } from '../access/policy.ts';
import type { Sql } from '../platform/database/database.ts';

/** A mailbox, whose id is unique in its firm. */
export interface MailboxRef {
  workspaceId: number;
  mailboxId: number;
}

/** Adds new mailboxes to the directory of addresses. Fails if another mailbox, of any firm, has one of the addresses. */
export async function addToDirectory(
  db: Sql,
  mailboxes: readonly { id: number; workspace_id: number; email: string }[],
): Promise<void> {
  await sql`
    insert into mailbox_addresses (address, workspace_id, mailbox_id)
    select lower(email), workspace_id, id
    from jsonb_to_recordset(${JSON.stringify(mailboxes)}::jsonb)
      as added (id integer, workspace_id integer, email text)`.execute(db);
}

/** Returns the mailbox with an address, case-insensitive: any, or one of a workspace for which the caller may act. */
export async function findByAddress(
  db: Sql,
  address: string,
  caller?: Pick<Identity, 'tokenId'>,
): Promise<MailboxRef | null> {
  let query = db
    .selectFrom('mailbox_addresses as a')
    .innerJoin('workspaces as f', 'f.id', 'a.workspace_id')
    .select(['a.workspace_id', 'a.mailbox_id'])
    .where('address', '=', sql<string>`lower(${address})`);
  if (caller) query = query.where(mayActFor(caller));
  const found = await query.executeTakeFirst();
  return found ? { workspaceId: found.workspace_id, mailboxId: found.mailbox_id } : null;
}
