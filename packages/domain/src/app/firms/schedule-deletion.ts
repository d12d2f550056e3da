import { exportPermissions, FIRM_DELETION_DAYS, type FirmDeletion } from '@firmdesk/contract';
import { sql } from 'kysely';
import { z } from 'zod';
import { recordAudit } from '../../access/audit/audit.ts';
import { IS_ADMIN, isPermitted } from '../../access/policy.ts';
import { Workspace } from '../../access/workspaces/workspace.entity.ts';
import { beginChange } from '../../firm/firm-changes.ts';
import { queueSystemMail } from '../../mail/system/queue-system-mail.ts';
import type { FirmDeletionContent } from '../../mail/system/system-mail.ts';
import { raiseNotification } from '../../notifications/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { newContext, withTransaction } from '../../platform/database/transaction.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';
import { DAY_MS } from '../../platform/process/clock.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { Services } from '../../platform/services.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { holdsStill } from '../data/holds-still.ts';
import { deleteFirm } from './delete-firm.ts';
import { suspendFirm } from './suspend-firm.ts';

/** Deletes the firms whose time to cancel has ended. */
export const deleteDueFirmsJob = defineJob('firms.delete_due', z.object({}));

/** What it takes to ask for the deletion: what is lost is what an export has. Who may change the settings can cancel it. */
export const deletionPermissions = exportPermissions.firm;

/** Returns when the firm is deleted, and who has asked for it. */
export async function getDeletion({ db, workspace }: AccountContext): Promise<z.input<typeof FirmDeletion>> {
  const { rows } = await sql<Omit<z.input<typeof FirmDeletion>, 'object'>>`
    select w.deletion_due_at as due_at,
      case when u.id is not null then jsonb_build_object('id', u.id, 'name', u.name) end as requested_by
    from workspaces w left join users u on u.id = w.deletion_requested_by
    where w.id = ${workspace.id}`.execute(db);
  return { object: 'firm_deletion', ...rows[0]! };
}

/**
 * Schedules the deletion of the firm. Until then the firm works on, because traders still write to it, and nothing is lost by a mistake. Changes nothing
 * if it is scheduled already.
 */
export async function scheduleDeletion(
  caller: AccountContext,
  { name }: { name: string },
): Promise<z.input<typeof FirmDeletion>> {
  const ctx = await beginChange(caller, 'data');
  const firm = await lockFirm(ctx);
  if (name.trim() !== firm.name) throw invalidField('name', 'must be the name of the firm');
  if (firm.deletionDueAt) return getDeletion(ctx);
  firm.deletionDueAt = new Date(ctx.now.getTime() + FIRM_DELETION_DAYS * DAY_MS);
  firm.deletionRequestedBy = ctx.identity.user.id;
  await ctx.em.flush();
  await record(ctx, 'firm.deletion_scheduled', { due_at: firm.deletionDueAt.toISOString() });
  const day = firm.deletionDueAt.toISOString().slice(0, 10);
  await tell(ctx, {
    title: `This firm is deleted on ${day}`,
    body: 'Everything in it is deleted for good. It works as before until then, and you can cancel the deletion in the settings.',
    content: {
      due_at: firm.deletionDueAt.toISOString(),
      is_cancelled: false,
      asked_by: ctx.identity.user.id,
    },
  });
  return getDeletion(ctx);
}

/** Cancels the deletion of the firm. Changes nothing if none is scheduled. */
export async function cancelDeletion(caller: AccountContext): Promise<z.input<typeof FirmDeletion>> {
  const ctx = await beginChange(caller, 'data');
  const firm = await lockFirm(ctx);
  if (!firm.deletionDueAt) return getDeletion(ctx);
  const due_at = firm.deletionDueAt.toISOString();
  firm.deletionDueAt = null;
  firm.deletionRequestedBy = null;
  await ctx.em.flush();
  await record(ctx, 'firm.deletion_cancelled', { due_at });
  await tell(ctx, {
    title: 'The deletion of this firm was cancelled',
    body: 'Nothing was deleted.',
    content: { due_at, is_cancelled: true, asked_by: ctx.identity.user.id },
  });
  return getDeletion(ctx);
}

/** Locks the firm until the transaction ends, against the job that begins its deletion, and reads it again. Throws `workspace_not_permitted` if it has begun. */
async function lockFirm({ db, em, workspace }: AccountContext): Promise<Workspace> {
  await sql`select from workspaces where id = ${workspace.id} for no key update`.execute(db);
  const firm = await em.findOneOrFail(Workspace, workspace.id, { refresh: true });
  if (firm.suspendedAt) throw new ApiError('workspace_not_permitted');
  return firm;
}

function record(
  ctx: AccountContext,
  action: 'firm.deletion_scheduled' | 'firm.deletion_cancelled',
  after: { due_at: string },
): Promise<void> {
  const { id, slug } = ctx.workspace;
  return recordAudit(ctx, id, { action, target: { type: 'firm', id: slug }, after });
}

/** Tells everybody who may cancel, by a notification and by mail: also the account that caused it, by mail, in case it is not its owner. */
async function tell(
  ctx: AccountContext,
  { title, body, content }: { title: string; body: string; content: FirmDeletionContent },
): Promise<void> {
  const { workspace, identity, now } = ctx;
  await raiseNotification(ctx, {
    workspace,
    kind: 'firm_deletion',
    title,
    body,
    actionUrl: '/settings/data',
    actorId: identity.user.id,
  });
  const { rows } = await sql<{ id: string }>`
    select u.id from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${workspace.id}
    and ${sql.raw(IS_ADMIN)} and ${sql.raw(isPermitted('manage_settings'))} order by u.id`.execute(ctx.db);
  for (const { id } of rows)
    await queueSystemMail(ctx, workspace.id, {
      kind: 'firm_deletion',
      userId: id,
      about: `deletion ${id} ${now.toISOString()}`,
      content,
      sendUntil: new Date(now.getTime() + FIRM_DELETION_DAYS * DAY_MS).toISOString(),
    });
}

/**
 * Handles {@link deleteDueFirmsJob}. A firm is suspended in the transaction that finds it due, so that a cancellation comes before or is refused; an
 * interrupted deletion is continued by the next run. A firm that fails does not delay the others.
 */
export async function deleteDueFirms(services: Services, signal?: AbortSignal): Promise<void> {
  const ctx = newContext(services);
  const { rows } = await sql<{ id: number; slug: string }>`
    select id, slug from workspaces
    where deletion_due_at <= ${ctx.now.toISOString()} order by deletion_due_at, id`.execute(ctx.db);
  const failures: unknown[] = [];
  for (const firm of rows) {
    if (signal?.aborted) return;
    try {
      if (await withTransaction(services, (tx) => beginDeletion(tx, firm)))
        await deleteFirm(services, firm.slug, { actor: { kind: 'system', id: null } });
    } catch (error) {
      failures.push(error);
      services.log.error({ workspace: firm.slug, err: error }, 'a firm cannot be deleted');
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Suspends a firm that is due. If who asked may no longer do so, the deletion is cancelled instead: a colleague can ask for it. */
async function beginDeletion(
  ctx: OperationContext,
  { id, slug }: { id: number; slug: string },
): Promise<boolean> {
  const { rows } = await sql<{ asked_by: string | null; is_begun: boolean }>`
    select deletion_requested_by as asked_by, suspended_at is not null as is_begun from workspaces
    where id = ${id} and deletion_due_at <= ${ctx.now.toISOString()} for no key update`.execute(ctx.db);
  const [due] = rows;
  if (!due) return false;
  const { asked_by: userId, is_begun } = due;
  if (is_begun || (userId && (await holdsStill(ctx, { workspaceId: id, userId }, deletionPermissions)))) {
    await suspendFirm(ctx, slug);
    return true;
  }
  await sql`
    update workspaces set deletion_due_at = null, deletion_requested_by = null
    where id = ${id}`.execute(ctx.db);
  await recordAudit(ctx, id, { action: 'firm.deletion_cancelled', target: { type: 'firm', id: slug } });
  await raiseNotification(ctx, {
    workspace: { id, slug },
    kind: 'firm_deletion',
    title: 'The deletion of this firm was cancelled',
    body: 'Who asked for it may no longer do so. Nothing was deleted.',
    actionUrl: '/settings/data',
  });
  return false;
}
