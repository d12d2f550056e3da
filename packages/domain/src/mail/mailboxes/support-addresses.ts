import { Email } from '@firmdesk/contract';
import { sql } from 'kysely';
import { getUser } from '../../access/accounts/users.ts';
import { recordAudit } from '../../access/audit/audit.ts';
import { getFirm } from '../../access/workspaces/workspaces.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import { Mailbox } from '../mail.entity.ts';
import { addToDirectory, findByAddress, type TicketSenders } from './mailbox-directory.ts';

export interface SupportAddress {
  email: string;
  senders: TicketSenders;
  /** How many accounts read its mailbox. */
  readers: number;
}

/**
 * Lets mail to an address of a firm open tickets. Creates the mailbox unless the firm has it. Throws `resource_not_found` (firm, reader), and `validation_failed`
 * if the address is none or of another firm, or a reader is no member.
 */
export async function addSupportAddress(
  ctx: OperationContext,
  input: { firm: string; email: string; senders: TicketSenders; readers: readonly string[] },
): Promise<void> {
  const firm = await getFirm(ctx, input.firm);
  const parsed = Email.safeParse(input.email);
  if (!parsed.success) throw invalidField('email', 'must be an email address');
  const address = parsed.data.toLowerCase();
  const found = await findByAddress(ctx.db, address);
  if (found && found.workspaceId !== firm.id)
    throw invalidField('email', 'must not be the address of another firm');
  const { rows } = await sql`select from mailbox_addresses where address = ${address}`.execute(ctx.db);
  if (rows.length === 0) await createMailbox(ctx, firm, parsed.data);
  await sql`
    update mailbox_addresses set tickets = ${input.senders} where address = ${address} and workspace_id = ${firm.id}`.execute(
    ctx.db,
  );
  for (const reader of input.readers) await addReader(ctx, firm, address, reader);
  await recordAudit(ctx, firm.id, {
    action: 'firm.support_address_added',
    target: { type: 'firm', id: firm.slug },
    after: { senders: input.senders },
  });
}

/** Returns the addresses of a firm to which mail opens tickets. Throws `resource_not_found` (firm). */
export async function listSupportAddresses(ctx: OperationContext, slug: string): Promise<SupportAddress[]> {
  const firm = await getFirm(ctx, slug);
  const { rows } = await sql<SupportAddress>`
    select a.address as email, a.tickets as senders, (
      select count(*)::integer from mailbox_members r where r.workspace_id = ${firm.id} and r.mailbox_id = a.mailbox_id) as readers
    from mailbox_addresses a where a.workspace_id = ${firm.id} and a.tickets is not null order by a.address`.execute(
    ctx.db,
  );
  return rows;
}

/** Lets mail to an address stay mail. Throws `resource_not_found`. */
export async function removeSupportAddress(
  ctx: OperationContext,
  { firm: slug, email }: { firm: string; email: string },
): Promise<void> {
  const firm = await getFirm(ctx, slug);
  const { rows } = await sql`
    update mailbox_addresses set tickets = null
    where address = ${email.toLowerCase()} and workspace_id = ${firm.id} and tickets is not null returning address`.execute(
    ctx.db,
  );
  if (rows.length === 0)
    throw new ApiError('resource_not_found', { message: `${email} is no support address of ${slug}.` });
  await recordAudit(ctx, firm.id, {
    action: 'firm.support_address_removed',
    target: { type: 'firm', id: firm.slug },
  });
}

async function createMailbox(
  { em, db, now }: OperationContext,
  firm: { id: number; name: string },
  email: string,
): Promise<void> {
  const mailbox = em.create(Mailbox, { workspaceId: firm.id, email, name: firm.name, createdAt: now });
  await em.flush();
  await addToDirectory(db, [{ id: mailbox.id, workspace_id: firm.id, email }]);
}

async function addReader(
  ctx: OperationContext,
  firm: { id: number; slug: string },
  address: string,
  reader: string,
): Promise<void> {
  const user = await getUser(ctx, reader);
  const { rows } = await sql`
    insert into mailbox_members (workspace_id, mailbox_id, user_id)
    select ${firm.id}::integer, a.mailbox_id, ${user.id}::text from mailbox_addresses a
    where a.address = ${address} and a.workspace_id = ${firm.id} and exists (
      select from memberships m where m.workspace_id = ${firm.id} and m.user_id = ${user.id} and m.active)
    on conflict (workspace_id, mailbox_id, user_id) do update set can_write = true
    returning user_id`.execute(ctx.db);
  if (rows.length === 0) throw invalidField('reader', `must be a member of ${firm.slug}: ${reader} is none`);
}
