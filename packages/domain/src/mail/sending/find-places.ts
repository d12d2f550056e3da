import { sql } from 'kysely';
import { newContext } from '../../platform/database/transaction.ts';
import type { Services } from '../../platform/services.ts';
import { findByAddress } from '../mailboxes/mailbox-directory.ts';
import { findLocal } from './find-local.ts';

/** Where mail to an address goes: into a mailbox of this installation, to the mail server, or to nobody. */
export type Place = 'local' | 'server' | 'nobody';

/** Why a mail with a link is sent to no mailbox of the firm. */
export const READ_BY_OTHERS =
  'The firm has a mailbox with this address, which is not that of the account alone: others could use the link.';

/** Returns where a mail of a workspace goes, for each of its recipients. `hasLink`: whether its link lets in who has it. */
export async function findPlaces(
  services: Services,
  workspaceId: number,
  emails: readonly string[],
  { isSandbox, hasLink }: { isSandbox: boolean; hasLink: boolean },
): Promise<Map<string, Place>> {
  const places = new Map<string, Place>();
  const local = await findLocal(services, emails, isSandbox, hasLink ? workspaceId : null);
  for (const email of emails) {
    if (!local.has(email)) places.set(email, 'server');
    else places.set(email, hasLink ? await findLinkPlace(services, email) : 'local');
  }
  return places;
}

/**
 * Returns where the mail goes whose link lets in the owner of an address that is a mailbox of the firm: into the mailbox if only the account with the address
 * reads it, else to nobody. At another firm's mailbox nobody gets it: a firm can have mailboxes at domains that are not its own. For the same reason, the
 * mail to an account whose address was not proved leaves by the mail server.
 */
async function findLinkPlace(services: Services, address: string): Promise<Place> {
  const { db } = newContext(services);
  const mailbox = await findByAddress(db, address);
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
