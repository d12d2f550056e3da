/**
 * What an erasure or an export does when one firm asks for it. An account can belong to other firms, of which this one must not learn: there it stays as it
 * is. In this firm, a new account without a person takes its place in the rows that stay.
 */
import { sql } from 'kysely';
import { ERASED, eraseIdentity } from '../../access/accounts/erase-identity.ts';
import { lockAccount } from '../../access/accounts/lock-account.ts';
import { Membership, User } from '../../access/accounts/user.entity.ts';
import { recordAudit, recordPlatformAudit } from '../../access/audit/audit.ts';
import { dismissMember } from '../../access/workspaces/dismiss-member.ts';
import { getFirm } from '../../access/workspaces/workspaces.ts';
import type { Actor, OperationContext } from '../../platform/database/context.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { newId } from '../../platform/process/ids.ts';
import type { Services } from '../../platform/services.ts';
import { refreshTraderSearchText } from '../../tickets/search/refresh-search-text.ts';
import type { ErasureStep, Subject } from './erasure-steps.ts';
import { type AccountFirm, findAccountFirms } from './find-account-firms.ts';
import { type PersonalRows, personalRows } from './personal-rows.ts';

/** The firm that asks, and its workspaces: itself and its sandbox. */
export interface FirmScope {
  slug: string;
  firms: AccountFirm[];
}

/** Returns the workspaces of a firm: itself and its sandbox. */
export async function workspacesOf({ db }: OperationContext, slug: string): Promise<AccountFirm[]> {
  const { rows } = await sql<AccountFirm>`
    select w.id, w.slug from workspaces f join workspaces w on f.id in (w.id, w.sandbox_of)
    where f.slug = ${slug} order by w.id`.execute(db);
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
      select from memberships m
      where m.user_id = u.id and m.workspace_id <> all(${own}::integer[])))`.execute(ctx.db);
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

/**
 * What {@link leave} changes in its transaction, so that an interrupted erasure can be continued: a request names its person until the firm has
 * forgotten the person, and the words by which a ticket is found change with its trader.
 */
const isChangedLast = ({ table, column }: PersonalRows) =>
  (table === 'data_requests' && column === 'person_id') || (table === 'tickets' && column === 'trader_id');

/** The steps that replace the account in the rows that stay. The id is one that {@link createStandIn} has made. */
export function standInSteps(standIn: string): ErasureStep[] {
  return [
    ...personalRows
      .filter((rows) => rows.erasure === 'keep' && !isChangedLast(rows))
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

/**
 * Ends what connects the account with the firm. Whose last firm has forgotten them meanwhile, because two firms do so at once, is erased as a whole: the
 * lock of the account makes one of them the last.
 */
export async function leave(
  services: Services,
  actor: Actor,
  { userId }: Subject,
  { slug, firms }: FirmScope,
  standIn: string,
): Promise<void> {
  const ids = firms.map(({ id }) => id);
  await withTransaction(services, async (tx) => {
    const ctx = { ...tx, actor };
    const { db } = ctx;
    await lockAccount(ctx, userId, 'exclusive');
    for (const id of ids) {
      await sql`
        update tickets set trader_id = ${standIn}
        where workspace_id = ${id} and trader_id = ${userId}`.execute(db);
      await refreshTraderSearchText({ ...ctx, workspace: { id } }, { trader: standIn });
      await sql`
        update data_requests set person_id = ${standIn}
        where workspace_id = ${id} and person_id = ${userId}`.execute(db);
    }
    for (const table of ['memberships', 'provider_accounts'])
      await sql`
        delete from ${sql.table(table)}
        where user_id = ${userId} and workspace_id = any(${ids}::integer[])`.execute(db);
    const { rows: elsewhere } = await sql`
      select from users u where u.id = ${userId}
        and (u.is_staff or exists (select from memberships m where m.user_id = u.id))`.execute(db);
    if (elsewhere.length === 0 && !(await isNamedOutside(services, userId, ids))) {
      await eraseIdentity(ctx, [userId]);
      await recordPlatformAudit(ctx, { action: 'user.erased', target: { type: 'user', id: userId } });
    }
    await recordErasure(ctx, userId, slug);
  });
}

async function isNamedOutside(
  services: Services,
  userId: string,
  firms: readonly number[],
): Promise<boolean> {
  const naming = await findAccountFirms(services, userId);
  return naming.some(({ id }) => !firms.includes(id));
}

/** Records an erasure in the audit log of the firm that asked for it. */
export async function recordErasure(ctx: OperationContext, userId: string, slug: string): Promise<void> {
  const { id } = await getFirm(ctx, slug);
  await recordAudit(ctx, id, { action: 'user.erased', target: { type: 'user', id: userId } });
}
