import {
  type CreateFirmMailboxInput,
  type FirmMailbox,
  MAX_FIRM_MAILBOXES,
  type UpdateFirmMailboxInput,
} from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { recordAudit } from '../../access/audit/audit.ts';
import { IS_ADMIN, IS_MEMBER } from '../../access/policy.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { Mailbox } from '../mail.entity.ts';
import { addToDirectory, knownForms } from './mailbox-directory.ts';
import { ensureReadByOwners, signsInAt } from './mailbox-owners.ts';

type Changes = z.output<typeof UpdateFirmMailboxInput>;

/** Returns the firm's mailboxes, by address. That from which the product writes is none of them: nobody reads it. */
export function listFirmMailboxes(ctx: AccountContext): Promise<FirmMailbox[]> {
  return selectMailboxes(ctx, sql`true`);
}

/** Creates a mailbox. Throws `validation_failed` for an address that is taken, or at a domain that the firm may not use. */
export async function createFirmMailbox(
  ctx: AccountContext,
  { email, name, members, opens_tickets }: z.output<typeof CreateFirmMailboxInput>,
): Promise<FirmMailbox> {
  const { em, db, workspace, now } = ctx;
  const { length } = await listFirmMailboxes(ctx);
  if (length >= MAX_FIRM_MAILBOXES)
    throw invalidField('email', `there are ${MAX_FIRM_MAILBOXES} mailboxes already`);
  await ensureFree(ctx, email, 'email');
  const { id } = await insert();
  await addToDirectory(db, [{ id, workspace_id: workspace.id, email }]);
  await setMembers(ctx, id, members);
  await ensureReadByOwners(ctx, null, id, { members, aliases: [] });
  await setOpensTickets(ctx, email, opens_tickets);
  const after = await readMailbox(ctx, id);
  await recordAudit(ctx, workspace.id, {
    action: 'mailbox.created',
    target: target(id),
    after: stateOf(after),
  });
  return after;

  async function insert(): Promise<Mailbox> {
    const mailbox = em.create(Mailbox, { workspaceId: workspace.id, email, name, createdAt: now });
    await em.flush();
    return mailbox;
  }
}

/** Changes a mailbox. Throws `resource_not_found`, and as {@link createFirmMailbox} for aliases. */
export async function updateFirmMailbox(
  ctx: AccountContext,
  { id, name, members, aliases, opens_tickets }: Changes,
): Promise<FirmMailbox> {
  const { db, workspace } = ctx;
  const before = await readMailbox(ctx, id);
  if (name !== undefined)
    await sql`update mailboxes set name = ${name} where workspace_id = ${workspace.id} and id = ${id}`.execute(
      db,
    );
  if (members !== undefined) await setMembers(ctx, id, members);
  if (aliases !== undefined) await setAliases(ctx, before, aliases);
  await ensureReadByOwners(ctx, before, id, { members: members ?? [], aliases: aliases ?? [] });
  if (opens_tickets !== undefined) await setOpensTickets(ctx, before.email, opens_tickets);
  const after = await readMailbox(ctx, id);
  const changed = { before: stateOf(before), after: stateOf(after) };
  if (JSON.stringify(before) !== JSON.stringify(after))
    await recordAudit(ctx, workspace.id, { action: 'mailbox.changed', target: target(id), ...changed });
  return after;
}

const target = (id: number) => ({ type: 'mailbox' as const, id: String(id) });

/** What the audit trail records: no name and no address. */
function stateOf({ members, aliases, opens_tickets }: FirmMailbox) {
  return {
    members: members.map(({ id, can_write }) => ({ id, can_write })),
    aliases: aliases.length,
    opens_tickets,
  };
}

async function readMailbox(ctx: AccountContext, id: number): Promise<FirmMailbox> {
  const [mailbox] = await selectMailboxes(ctx, sql`b.id = ${id}`);
  if (!mailbox) throw new ApiError('resource_not_found');
  return mailbox;
}

async function selectMailboxes(
  { db, workspace }: AccountContext,
  condition: RawBuilder<unknown>,
): Promise<FirmMailbox[]> {
  const { rows } = await sql<Omit<FirmMailbox, 'object'>>`
    select b.id, b.email, b.name, b.signature, a.tickets as opens_tickets,
      array(
        select o.address from mailbox_addresses o
        where o.workspace_id = ${workspace.id} and o.mailbox_id = b.id and o.address <> lower(b.email) order by o.address) as aliases,
      coalesce((
        select json_agg(json_build_object('id', u.id, 'name', u.name, 'can_write', r.can_write) order by lower(u.name), u.id)
        from mailbox_members r join users u on u.id = r.user_id
        where r.workspace_id = ${workspace.id} and r.mailbox_id = b.id), '[]') as members
    from mailboxes b join mailbox_addresses a on a.address = lower(b.email) and a.workspace_id = b.workspace_id
    where b.workspace_id = ${workspace.id} and ${condition}
    order by lower(b.email)`.execute(db);
  return rows.map((row) => ({ ...row, object: 'firm_mailbox' }));
}

/**
 * The address is free and at a domain that the firm may use: one of the installation, one that it uses already, or, without
 * configured domains, one at which no other firm has a mailbox and nobody outside the firm an account: otherwise the answer for one address would
 * tell whether it has an account. It is not free if another firm's mailbox gets its mail (see {@link knownForms}), or if an account
 * signs in with it that is not of this firm alone: who reads the mailbox gets the links for new passwords.
 */
async function ensureFree(
  { db, services, workspace }: AccountContext,
  email: string,
  field: string,
): Promise<void> {
  const address = email.toLowerCase();
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const forms = knownForms(address);
  const { rows } = await sql<{ is_taken: boolean; is_own: boolean; is_others: boolean }>`
    select
      exists (
        select from mailbox_addresses
        where address = ${address} or (address = any(${forms}::text[]) and workspace_id <> ${workspace.id}))
      or exists (
        select from users u where ${signsInAt(forms)} and u.deleted_at is null and (u.is_staff
          or not exists (select from memberships m where m.user_id = u.id and m.workspace_id = ${workspace.id} and ${sql.raw(IS_MEMBER)})
          or exists (select from memberships m where m.user_id = u.id and m.workspace_id <> ${workspace.id} and m.active))) as is_taken,
      exists (
        select from mailbox_addresses where workspace_id = ${workspace.id} and split_part(address, '@', -1) = ${domain}) as is_own,
      exists (
        select from mailbox_addresses where workspace_id <> ${workspace.id} and split_part(address, '@', -1) = ${domain})
      or exists (
        select from users u where split_part(lower(u.email), '@', -1) = ${domain} and u.deleted_at is null
          and not exists (select from memberships m where m.user_id = u.id and m.workspace_id = ${workspace.id})) as is_others`.execute(
    db,
  );
  const { is_taken, is_own, is_others } = rows[0]!;
  const { domains } = services.mail;
  const mayUse = domains.includes(domain) || is_own || (domains.length === 0 && !is_others);
  // The same words in both cases: an address of another firm is indistinguishable from one at a domain that is not the firm's.
  if (!mayUse || is_taken)
    throw invalidField(field, 'must be a free address at a domain of the firm: an operator adds domains');
}

async function setAliases(ctx: AccountContext, mailbox: FirmMailbox, aliases: readonly string[]) {
  const { db, workspace } = ctx;
  const wanted = new Set(aliases.map((address) => address.toLowerCase()));
  wanted.delete(mailbox.email.toLowerCase());
  for (const address of mailbox.aliases)
    if (!wanted.has(address))
      await sql`
        delete from mailbox_addresses where address = ${address} and workspace_id = ${workspace.id} and mailbox_id = ${mailbox.id}`.execute(
        db,
      );
  for (const [index, address] of [...wanted].entries()) {
    if (mailbox.aliases.includes(address)) continue;
    await ensureFree(ctx, address, `aliases[${index}]`);
    await addToDirectory(db, [{ id: mailbox.id, workspace_id: workspace.id, email: address }]);
  }
}

/** The rule is that of the mailbox's own address: an alias keeps what an operator has set. */
async function setOpensTickets(
  { db, workspace }: AccountContext,
  email: string,
  tickets: FirmMailbox['opens_tickets'],
): Promise<void> {
  await sql`
    update mailbox_addresses set tickets = ${tickets} where address = ${email.toLowerCase()} and workspace_id = ${workspace.id}`.execute(
    db,
  );
}

/** Replaces the members of a mailbox by administrators of the firm. Who stays keeps the own switch for push. */
async function setMembers(
  { db, workspace }: AccountContext,
  id: number,
  members: readonly { id: string; can_write: boolean }[],
): Promise<void> {
  const ids = members.map((member) => member.id);
  const { rows } = await sql<{ id: string }>`
    select u.id from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${workspace.id} and u.id = any(${ids}::text[]) and ${sql.raw(IS_ADMIN)}
    union select user_id from mailbox_members where workspace_id = ${workspace.id} and mailbox_id = ${id}`.execute(
    db,
  );
  const known = new Set(rows.map((row) => row.id));
  const unknown = ids.findIndex((member) => !known.has(member));
  if (unknown >= 0) throw invalidField(`members[${unknown}].id`, 'must be the id of a member of this firm');
  await sql`
    delete from mailbox_members where workspace_id = ${workspace.id} and mailbox_id = ${id} and user_id <> all(${ids}::text[])`.execute(
    db,
  );
  for (const member of members)
    await sql`
      insert into mailbox_members (workspace_id, mailbox_id, user_id, can_write) values (${workspace.id}, ${id}, ${member.id}, ${member.can_write})
      on conflict (workspace_id, mailbox_id, user_id) do update set can_write = excluded.can_write`.execute(
      db,
    );
}
