import { Email } from '@firmdesk/contract';
import { sql } from 'kysely';
import { recordAudit } from '../../access/audit/audit.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import { addToDirectory, findByAddress, type MailboxRef } from './mailbox-directory.ts';

/**
 * Gives a mailbox another address, at which it gets mail too. Throws `resource_not_found` (mailbox), `validation_failed` if the address is none or another
 * mailbox, of any firm, has it.
 */
export async function addMailboxAlias(
  ctx: OperationContext,
  { mailbox, address }: { mailbox: string; address: string },
): Promise<void> {
  const parsed = Email.safeParse(address);
  if (!parsed.success) throw invalidField('address', 'must be an email address');
  const found = await findMailbox(ctx, mailbox);
  const holder = await findHolder(ctx, address);
  if (holder && holder.mailboxId === found.mailboxId && holder.workspaceId === found.workspaceId) return;
  if (holder) throw invalidField('address', 'must not be the address of another mailbox');
  await addToDirectory(ctx.db, [
    { id: found.mailboxId, workspace_id: found.workspaceId, email: parsed.data },
  ]);
  await recordAlias(ctx, 'mailbox.alias_added', found);
}

/** Returns the addresses of a mailbox beside its own. Throws `resource_not_found` (mailbox). */
export async function listMailboxAliases(ctx: OperationContext, mailbox: string): Promise<string[]> {
  const { workspaceId, mailboxId } = await findMailbox(ctx, mailbox);
  const rows = await ctx.db
    .selectFrom('mailbox_addresses as a')
    .innerJoin('mailboxes as b', 'b.id', 'a.mailbox_id')
    .select('a.address')
    .where('a.workspace_id', '=', workspaceId)
    .where('a.mailbox_id', '=', mailboxId)
    .where('b.workspace_id', '=', workspaceId)
    .where(sql<boolean>`a.address <> lower(b.email)`)
    .orderBy('a.address')
    .execute();
  return rows.map(({ address }) => address);
}

/** Takes an address from the mailbox that has it beside its own. Throws `resource_not_found`, also for a mailbox's own address. */
export async function removeMailboxAlias(ctx: OperationContext, address: string): Promise<void> {
  const holder = await findHolder(ctx, address);
  const aliases = holder ? await listMailboxAliases(ctx, address) : [];
  if (!holder || !aliases.includes(address.toLowerCase()))
    throw new ApiError('resource_not_found', { message: `${address} is no alias of a mailbox.` });
  await ctx.db.deleteFrom('mailbox_addresses').where('address', '=', address.toLowerCase()).execute();
  await recordAlias(ctx, 'mailbox.alias_removed', holder);
}

async function findMailbox({ db }: OperationContext, address: string): Promise<MailboxRef> {
  const found = await findByAddress(db, address);
  if (!found) throw new ApiError('resource_not_found', { message: `There is no mailbox ${address}.` });
  return found;
}

/** Returns the mailbox that has an address literally. */
async function findHolder({ db }: OperationContext, address: string): Promise<MailboxRef | null> {
  const row = await db
    .selectFrom('mailbox_addresses')
    .select(['workspace_id', 'mailbox_id'])
    .where('address', '=', address.toLowerCase())
    .executeTakeFirst();
  return row ? { workspaceId: row.workspace_id, mailboxId: row.mailbox_id } : null;
}

/** The event names no address, because an erasure does not change it. */
function recordAlias(
  ctx: OperationContext,
  action: 'mailbox.alias_added' | 'mailbox.alias_removed',
  { workspaceId, mailboxId }: MailboxRef,
): Promise<void> {
  return recordAudit(ctx, workspaceId, { action, target: { type: 'mailbox', id: String(mailboxId) } });
}
