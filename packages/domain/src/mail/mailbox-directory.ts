import type { TokenEnvironment } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { Sql } from '../platform/database.ts';

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

/** Where a mailbox is looked for: in one workspace, or in all firms or all test twins. */
export type Within = { workspaceId: number } | { environment: TokenEnvironment };

/** Returns the mailbox with an address, case-insensitive, of any workspace or within the given ones. */
export async function findByAddress(
  db: Sql,
  address: string,
  within: Within | undefined,
): Promise<MailboxRef | null> {
  let query = db
    .selectFrom('mailbox_addresses as a')
    .select(['a.workspace_id', 'a.mailbox_id'])
    .where('address', '=', sql<string>`lower(${address})`);
  if (within && 'workspaceId' in within) query = query.where('workspace_id', '=', within.workspaceId);
  else if (within)
    query = query
      .innerJoin('workspaces as w', 'w.id', 'a.workspace_id')
      .where('w.twin_of', within.environment === 'test' ? 'is not' : 'is', null);
  const found = await query.executeTakeFirst();
  return found ? { workspaceId: found.workspace_id, mailboxId: found.mailbox_id } : null;
}
