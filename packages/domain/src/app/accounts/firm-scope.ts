/**
 * What an erasure or an export does when one firm asks for it. An account can belong to other firms, of which this one must not learn: there it stays as it
 * is. In this firm, a new account without a person takes its place in the rows that stay.
 */
import { sql } from 'kysely';
import { ERASED } from '../../access/accounts/erase-identity.ts';
import { Membership, User } from '../../access/accounts/user.entity.ts';
import { recordAudit } from '../../access/audit/audit.ts';
import { dismissMember } from '../../access/workspaces/dismiss-member.ts';
import { getFirm } from '../../access/workspaces/workspaces.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { newId } from '../../platform/process/ids.ts';
import { refreshTraderSearchText } from '../../tickets/search/refresh-search-text.ts';
import type { ErasureStep, Subject } from './erasure-steps.ts';
import type { AccountFirm } from './find-account-firms.ts';
import { personalRows } from './personal-rows.ts';

/** The firm that asks, and its workspaces: itself and its sandbox. */
export interface FirmScope {
  slug: string;
  firms: AccountFirm[];
}

/** Returns the workspaces of a firm: itself and its sandbox. */
export async function workspacesOf({ db }: OperationContext, slug: string): Promise<AccountFirm[]> {
  const { rows } = await sql<AccountFirm>`
    select w.id, w.slug from workspaces f join workspaces w on f.id in (w.id, w.sandbox_of) where f.slug = ${slug} order by w.id`.execute(
    db,
  );
  return rows;
}

/** Returns the scope of an erasure that a firm asks for; null if the account is used nowhere else, so that it ends as a whole. */
export async function findScope(
  ctx: OperationContext,
  userId: string,
  slug: string,
  namedIn: readonly number[],
): Promise<FirmScope | null> {
  const firms = await workspacesOf(ctx, slug);
  const own = firms.map(({ id }) => id);
  const { rows } = await sql`
    select from users u where u.id = ${userId} and (u.is_staff or exists (
      select from memberships m where m.user_id = u.id and m.workspace_id <> all(${own}::integer[])))`.execute(
    ctx.db,
  );
  return rows.length > 0 || namedIn.some((id) => !own.includes(id)) ? { slug, firms } : null;
}

/** Ends the membership and the sessions in the firm. */
export async function signOutOf(ctx: OperationContext, userId: string, { slug }: FirmScope): Promise<void> {
  const { id } = await getFirm(ctx, slug);
  if (await ctx.em.findOne(Membership, { workspaceId: id, userId, active: true }))
    await dismissMember(ctx, { email: userId, workspace: slug });
}

/** Creates the account that the firm's rows name in place of the one that it forgets. */
export async function createStandIn({ em, now }: OperationContext): Promise<string> {
  const user = em.create(User, { ...ERASED, id: newId('user', now), createdAt: now, deletedAt: now });
  await em.flush();
  return user.id;
}

/** The steps that replace the account in the rows that stay. The id is one that {@link createStandIn} has made. */
export function standInSteps(standIn: string): ErasureStep[] {
  return [
    ...personalRows
      .filter(({ erasure }) => erasure === 'keep')
      .map(({ table, column }) => ({
        table,
        where: `${column} = $2`,
        set: `${column} = '${standIn}'`,
        isWalked: table === 'ticket_messages',
      })),
    {
      table: 'ticket_messages',
      where: '$2 = any(mentions)',
      set: `mentions = array_replace(mentions, $2, '${standIn}')`,
      isWalked: true,
    },
  ];
}

/** Ends what connects the account with the firm. */
export async function leave(
  ctx: OperationContext,
  subject: Subject,
  { slug, firms }: FirmScope,
  standIn: string,
): Promise<void> {
  for (const { id } of firms)
    await refreshTraderSearchText({ ...ctx, workspace: { id } }, { trader: standIn });
  const ids = firms.map(({ id }) => id);
  await sql`delete from memberships where user_id = ${subject.userId} and workspace_id = any(${ids}::integer[])`.execute(
    ctx.db,
  );
  await sql`delete from provider_accounts where user_id = ${subject.userId} and workspace_id = any(${ids}::integer[])`.execute(
    ctx.db,
  );
  await recordErasure(ctx, subject, slug);
}

/** Records an erasure in the audit log of the firm that asked for it. */
export async function recordErasure(ctx: OperationContext, { userId }: Subject, slug: string): Promise<void> {
  const { id } = await getFirm(ctx, slug);
  await recordAudit(ctx, id, { action: 'user.erased', target: { type: 'user', id: userId } });
}
