import { PLATFORM } from '@firmdesk/contract';
import { sql } from 'kysely';
import { z } from 'zod';
import { eraseIdentity } from '../../access/accounts/erase-identity.ts';
import { lockAccount } from '../../access/accounts/lock-account.ts';
import { deleteAuditTrail, recordPlatformAudit } from '../../access/audit/audit.ts';
import type { Workspace } from '../../access/workspaces/workspace.entity.ts';
import { getFirm } from '../../access/workspaces/workspaces.ts';
import { deleteAttachments } from '../../attachments/delete-attachments.ts';
import type { Actor, OperationContext } from '../../platform/database/context.ts';
import { newContext, withTransaction } from '../../platform/database/transaction.ts';
import { allFirms } from '../../platform/distribution/all-firms.ts';
import { defineJob, enqueue } from '../../platform/jobs/jobs.ts';
import { MINUTE_MS } from '../../platform/process/clock.ts';
import { invalidField } from '../../platform/process/errors.ts';
import type { Services } from '../../platform/services.ts';
import { firmTables } from '../tables.ts';

/** The rows of a statement, so that it takes well below a second. */
const BATCH = 1_000;

/** More than calls and jobs in progress add to a trail. */
const REST = 1_000_000;

/** The accounts that are locked at once. */
const ACCOUNTS = 100;

/** Deletes all files of deleted firms. The ids of firms are not used again. */
export const deleteFirmFilesJob = defineJob('firms.delete_files', z.object({ firms: z.array(z.int()) }));

/** Longer than any call or job that was in progress can write a file. An upload may take 10 minutes. */
const LAST_WRITE_MS = 15 * MINUTE_MS;

/** Handles {@link deleteFirmFilesJob}. */
export async function deleteFirmFiles(
  { objects }: Services,
  { firms }: z.infer<(typeof deleteFirmFilesJob)['payload']>,
): Promise<void> {
  for (const id of firms) await objects.deleteFolder(String(id));
}

export interface DeleteFirmOptions {
  actor: Actor;
  /** Called after each batch, with the rows of the table deleted so far. */
  onProgress?: (table: string, deleted: number) => void;
}

/**
 * Deletes a suspended firm and its sandbox with everything in them, in batches that commit separately. An interrupted deletion is continued by calling it
 * again. Accounts that no other workspace knows are erased. Returns the number of deleted rows by table.
 */
export async function deleteFirm(
  services: Services,
  slug: string,
  { actor, onProgress = () => {} }: DeleteFirmOptions,
): Promise<Record<string, number>> {
  const { id, sandboxId } = await withTransaction(services, (ctx) => startDeletion({ ...ctx, actor }, slug));
  const workspaceIds = sandboxId === null ? [id] : [sandboxId, id];
  const deleted: Record<string, number> = {};
  const count = (table: string, rows: number) => {
    if (rows === 0) return;
    deleted[table] = (deleted[table] ?? 0) + rows;
    onProgress(table, deleted[table]);
  };
  /** Repeats a batch until it finds no more rows. */
  const all = async (table: string, batch: () => Promise<number>) => {
    for (let rows = await batch(); rows > 0; rows = await batch()) count(table, rows);
  };
  for (const workspaceId of workspaceIds) {
    await all('tokens', () => deleteTokens(services, workspaceId));
    // A table comes after those that it refers to.
    for (const table of firmTables.toReversed())
      await all(table, () => deleteRows(services, table, workspaceId));
  }
  await all('memberships', () => eraseFormerMembers(services, id));
  await withTransaction(services, (ctx) => finishDeletion({ ...ctx, actor }, { slug, workspaceIds }));
  return deleted;
}

async function startDeletion(
  ctx: OperationContext,
  slug: string,
): Promise<{ id: number; sandboxId: number | null }> {
  const firm = await getFirm(ctx, slug);
  if (!firm.suspendedAt) throw invalidField('slug', 'must be a suspended firm: suspend it first');
  firm.deletionStartedAt ??= ctx.now;
  await ctx.em.flush();
  await recordStart(ctx, firm);
  const sandbox = await ctx.db
    .selectFrom('workspaces')
    .select('id')
    .where('sandbox_of', '=', firm.id)
    .executeTakeFirst();
  return { id: firm.id, sandboxId: sandbox?.id ?? null };
}

/** Records once that a firm is deleted: without this event in the trail of the platform, the database keeps the trail of the firm (migration 0046). */
async function recordStart(ctx: OperationContext, { id, slug }: Workspace): Promise<void> {
  const platform = await getFirm(ctx, PLATFORM);
  const { rows } = await sql`
    select from audit_events where workspace_id = ${platform.id} and target_id = ${slug}
      and action = 'firm.deletion_started' and (after->>'firm')::integer = ${id} limit 1`.execute(ctx.db);
  if (rows.length > 0) return;
  await recordPlatformAudit(ctx, {
    action: 'firm.deletion_started',
    target: { type: 'firm', id: slug },
    after: { firm: id },
  });
}

/** Deletes tokens, with their push registrations and waiting pushes. */
async function deleteTokens({ pool }: Services, workspaceId: number): Promise<number> {
  const { rowCount } = await pool.query(
    'delete from tokens where id = any(array(select id from tokens where workspace_id = $1 limit $2))',
    [workspaceId, BATCH],
  );
  return rowCount ?? 0;
}

async function deleteRows(services: Services, table: string, workspaceId: number): Promise<number> {
  if (table === 'attachments') return deleteAttachments(services, workspaceId, BATCH);
  if (table === 'audit_events') return deleteAuditTrail(newContext(services), workspaceId, BATCH);
  const { pool } = services;
  const { rowCount } = await pool.query(
    `delete from ${table} where workspace_id = $1
       and ctid = any(array(select ctid from ${table} where workspace_id = $1 limit $2))`,
    [workspaceId, BATCH],
  );
  return rowCount ?? 0;
}

/** Erases accounts that only the firm knew, and deletes the memberships. Returns how many. */
function eraseFormerMembers(services: Services, workspaceId: number): Promise<number> {
  return withTransaction(services, async (ctx) => {
    const { rows: members } = await sql<{ user_id: string }>`
      select user_id from memberships
      where workspace_id = ${workspaceId} order by user_id limit ${ACCOUNTS}`.execute(ctx.db);
    // Another firm may forget one of them at the same time: one of both is the last.
    for (const { user_id } of members) await lockAccount(ctx, user_id, 'exclusive');
    const { rows } = await sql<{ user_id: string; is_only: boolean }>`
      select m.user_id, not u.is_staff and not exists (
          select from memberships o where o.user_id = m.user_id and o.workspace_id <> m.workspace_id) as is_only
      from memberships m join users u on u.id = m.user_id
      where m.workspace_id = ${workspaceId}
      and m.user_id = any(${members.map(({ user_id }) => user_id)}::text[])`.execute(ctx.db);
    if (rows.length === 0) return members.length;
    const only = rows.filter(({ is_only }) => is_only).map(({ user_id }) => user_id);
    // An import can make an account the trader of a ticket in a firm without a membership.
    const traders = await services.firmServers.readAll<{ trader_id: string }>({
      text: (isAmong) => `${allFirms('former-members')}
        select distinct trader_id from tickets where trader_id = any($1) and ${isAmong('workspace_id')}`,
      values: [only],
    });
    const needed = new Set(traders.map(({ trader_id }) => trader_id));
    await eraseIdentity(
      ctx,
      only.filter((id) => !needed.has(id)),
    );
    await ctx.db
      .deleteFrom('memberships')
      .where('workspace_id', '=', workspaceId)
      .where(
        'user_id',
        'in',
        rows.map(({ user_id }) => user_id),
      )
      .execute();
    return rows.length;
  });
}

/** Deletes the firm itself, with rows that calls and jobs in progress have added meanwhile. What they write to the object store is deleted later. */
async function finishDeletion(
  ctx: OperationContext,
  { slug, workspaceIds }: { slug: string; workspaceIds: number[] },
): Promise<void> {
  const db = ctx.db;
  for (const workspaceId of workspaceIds) {
    // Waits for what still adds to the trail; nothing adds to it afterwards.
    await sql`select from workspaces where id = ${workspaceId} for update`.execute(db);
    for (const table of firmTables.toReversed().filter((each) => each !== 'audit_events'))
      await sql`delete from ${sql.table(table)} where workspace_id = ${workspaceId}`.execute(db);
    await deleteAuditTrail(ctx, workspaceId, REST);
    await db.deleteFrom('workspaces').where('id', '=', workspaceId).execute();
  }
  await enqueue(ctx, deleteFirmFilesJob, { firms: workspaceIds }, { afterMs: LAST_WRITE_MS });
  await recordPlatformAudit(ctx, { action: 'firm.deleted', target: { type: 'firm', id: slug } });
}
