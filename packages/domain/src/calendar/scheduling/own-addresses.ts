import { sql } from 'kysely';
import { MAILBOX_READERS } from '../../access/policy.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

/**
 * Returns the addresses at which the caller is invited, and from which the caller invites, the best first: that of the account if it is a mailbox, the
 * mailboxes that only the caller reads, that of the account, and shared mailboxes.
 */
export async function ownAddresses({ db, workspace, identity }: AccountContext): Promise<string[]> {
  const { id, email } = identity.user;
  const { rows } = await sql<{ email: string; is_shared: boolean }>`
    select b.email, exists (
        select from mailbox_members o
        where o.workspace_id = ${workspace.id} and o.mailbox_id = b.id and o.user_id <> ${id}) as is_shared
    from ${sql.raw(MAILBOX_READERS)}
    where b.workspace_id = ${workspace.id} and r.user_id = ${id} and r.can_write
    order by b.id`.execute(db);
  const own = rows.filter(({ is_shared }) => !is_shared).map((row) => row.email);
  const shared = rows.filter(({ is_shared }) => is_shared).map((row) => row.email);
  const isMailbox = rows.some((row) => row.email.toLowerCase() === email.toLowerCase());
  return isMailbox ? [email, ...own, ...shared] : [...own, email, ...shared];
}
