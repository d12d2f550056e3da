import { domainToASCII, domainToUnicode } from 'node:url';
import { sql } from 'kysely';
import type { Identity } from '../../access/identity.ts';
import { mayActFor } from '../../access/policy.ts';
import type { Sql } from '../../platform/database/database.ts';

/** A mailbox, whose id is unique in its firm. */
export interface MailboxRef {
  workspaceId: number;
  mailboxId: number;
}

/** Whose mail to a support address opens tickets. */
export type TicketSenders = 'members' | 'anyone';

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

/**
 * Returns the addresses under which the directory may have the mailbox of an address, the best first: the address, the one without a tag (`name+tag@…`), and
 * both with the other form of an internationalised domain.
 */
export function knownForms(address: string): string[] {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  const plus = local.indexOf('+');
  const locals = plus > 0 ? [local, local.slice(0, plus)] : [local];
  const domains = new Set(
    [domain, domainToUnicode(domain), domainToASCII(domain)].filter((form) => form !== ''),
  );
  return locals.flatMap((local) => [...domains].map((domain) => `${local}@${domain}`.toLowerCase()));
}

/**
 * Returns the mailbox with an address, ignoring case and a tag: any, or one of a workspace for which the caller may act.
 */
export async function findByAddress(
  db: Sql,
  address: string,
  caller?: Pick<Identity, 'tokenId'>,
): Promise<MailboxRef | null> {
  const found = await findAddress(db, address, caller);
  return found?.mailbox ?? null;
}

/** {@link findByAddress}, with whose mail to the address opens tickets. */
export async function findAddress(
  db: Sql,
  address: string,
  caller?: Pick<Identity, 'tokenId'>,
): Promise<{ mailbox: MailboxRef; ticketsOf: TicketSenders | null } | null> {
  const forms = knownForms(address);
  let query = db
    .selectFrom('mailbox_addresses as a')
    .innerJoin('workspaces as f', 'f.id', 'a.workspace_id')
    .select(['a.workspace_id', 'a.mailbox_id', 'a.tickets'])
    .where('address', 'in', forms)
    .orderBy(sql`array_position(${forms}::text[], address)`);
  if (caller) query = query.where(mayActFor(caller));
  const found = await query.executeTakeFirst();
  if (!found) return null;
  const { workspace_id: workspaceId, mailbox_id: mailboxId, tickets: ticketsOf } = found;
  return { mailbox: { workspaceId, mailboxId }, ticketsOf };
}
