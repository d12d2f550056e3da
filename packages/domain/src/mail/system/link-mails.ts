import { sql } from 'kysely';
import { newContext } from '../../platform/database/transaction.ts';
import type { Services } from '../../platform/services.ts';
import { findByAddress } from '../mailboxes/mailbox-directory.ts';
import { findLocal } from '../sending/find-local.ts';

/** Why a mail with a link is sent to no mailbox of the firm. */
export const READ_BY_OTHERS =
  'The firm has a mailbox with this address, which is not that of the account alone: others could use the link.';

/**
 * Returns where the mail goes whose link lets in the owner of an address: into the mailbox of the firm that only the account with the address reads
 * (`local`), to nobody if others can read that mailbox, and else to the mail server of the address's domain. Nobody gets it at another firm's mailbox:
 * a firm can have mailboxes at domains that are not its own. For the same reason, the mail to an account whose address was not proved leaves by
 * the mail server.
 */
export async function findLinkPlace(
  services: Services,
  workspaceId: number,
  address: string,
): Promise<'local' | 'server' | 'nobody'> {
  const { db } = newContext(services);
  const isHere = (await findLocal(services, [address], false, workspaceId)).has(address);
  const mailbox = isHere ? await findByAddress(db, address) : null;
  if (!mailbox) return 'server';
  const { rows } = await sql<{ email_proved: boolean; is_shared: boolean }>`
    select u.email_proved, exists (
      select from mailbox_members r
      where r.workspace_id = ${mailbox.workspaceId} and r.mailbox_id = ${mailbox.mailboxId} and r.user_id <> u.id) as is_shared
    from users u where lower(u.email) = lower(${address}) and u.deleted_at is null`.execute(db);
  const [account] = rows;
  if (!account || account.is_shared) return 'nobody';
  return account.email_proved ? 'local' : 'server';
}
