import type { FirmMailbox } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import { invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { knownForms } from './mailbox-directory.ts';

/** What a call sets, as the fields of its input. */
interface Given {
  members: readonly { id: string }[];
  aliases: readonly string[];
}

/**
 * Only the account that signs in with an address of a mailbox reads it: others could get its links for new passwords, and act as it. What an operator has
 * set stays: a member together with an address that the mailbox had `before` is not refused. Call it after the change; throws `validation_failed`, which
 * undoes it.
 */
export async function ensureReadByOwners(
  { db, workspace }: AccountContext,
  before: FirmMailbox | null,
  id: number,
  { members, aliases }: Given,
): Promise<void> {
  const { rows: addresses } = await sql<{ address: string }>`
    select address from mailbox_addresses where workspace_id = ${workspace.id} and mailbox_id = ${id}`.execute(
    db,
  );
  const { rows: readers } = await sql<{ user_id: string }>`
    select user_id from mailbox_members where workspace_id = ${workspace.id} and mailbox_id = ${id}`.execute(
    db,
  );
  const wasMember = new Set(before?.members.map((member) => member.id));
  const hadAddress = new Set(before && [before.email.toLowerCase(), ...before.aliases]);
  for (const { address } of addresses) {
    const owners = await findOwners({ db }, address);
    const other = readers.find(
      ({ user_id }) =>
        !(wasMember.has(user_id) && hadAddress.has(address)) && owners.some((owner) => owner !== user_id),
    );
    if (!other) continue;
    const member = members.findIndex(({ id }) => id === other.user_id);
    if (member >= 0 && !(wasMember.has(other.user_id) && !hadAddress.has(address)))
      throw invalidField(
        `members[${member}].id`,
        'must be the account that signs in with an address of the mailbox: no other may read it',
      );
    const alias = aliases.findIndex((alias) => alias.toLowerCase() === address);
    throw invalidField(
      `aliases[${alias}]`,
      'must not be an address with which an account signs in: other members read the mailbox',
    );
  }
}

/** The account `u` signs in with one of some addresses, or with one whose mail comes to it because only a tag is added. */
export function signsInAt(forms: string[]): RawBuilder<unknown> {
  return sql`(lower(u.email) = any(${forms}::text[]) or regexp_replace(lower(u.email), '[+][^@]*@', '@') = any(${forms}::text[]))`;
}

/** Returns the accounts that sign in with an address, see {@link signsInAt}. */
async function findOwners({ db }: Pick<AccountContext, 'db'>, address: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select u.id from users u
    where u.deleted_at is null and u.deactivated_at is null
      and ${signsInAt(knownForms(address))}
      and (u.is_staff or exists (select from memberships m where m.user_id = u.id and m.active))`.execute(db);
  return rows.map((row) => row.id);
}
